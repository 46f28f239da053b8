# Written by: python -m agon.fenix install
"""The base of agents; a file of your own with this name takes its place."""

from agon.fenix import Agent
