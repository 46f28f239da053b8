# Written by: python -m agon.fenix install
"""The base class of agents; your own file with this name replaces it."""

from agon.fenix import Agent
