# Written by: python -m agon.fenix install
"""Plays a game between agents and people on a board in the browser."""

import random
import sys
import threading
import time
from copy import deepcopy

import fenix
from agon.fenix import VisualGameManager
from agon.fenix.window import pygame
