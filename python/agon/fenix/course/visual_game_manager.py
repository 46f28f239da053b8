# Written by: python -m agon.fenix install
"""Plays a game on a board in the browser, of agents and people."""

import random
import sys
import threading
import time
from copy import deepcopy

import fenix
from agon.fenix import VisualGameManager
from agon.fenix.window import pygame
