# Written by: python -m agon.fenix install
"""Fenix, as provided by the course, based on the package `agon`."""

from collections import namedtuple
from copy import deepcopy

from agon.fenix import FenixAction, FenixState

# Pickles name the module of a class, and the course's code expects them here.
FenixAction.__module__ = FenixState.__module__ = __name__
