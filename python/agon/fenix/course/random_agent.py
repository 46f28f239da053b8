# Written by: python -m agon.fenix install
"""An agent that plays at random."""

import random

import fenix
from agon.fenix import Agent, RandomAgent
