# Written by: python -m agon.fenix install
"""Lets two agents play and prints the game."""

import time
from copy import deepcopy

import fenix
from agon.fenix import TextGameManager
