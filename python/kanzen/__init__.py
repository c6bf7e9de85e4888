# SPDX-License-Identifier: MIT
"""Kanzen solves board games exactly and looks up perfect play.

>>> import kanzen
>>> start = kanzen.game("dobutsu").start()
>>> start.moves()
['2d3c', '2d1c', '2c2b', '1d1c']

With a table (``kanzen.solve("dobutsu")`` makes it, once):

    table = kanzen.open("dobutsu")
    table.probe()                         # Value(outcome='loss', distance=78)
    table.moves()                         # every move with its value, best first
    table.probe(numpy.arange(1000000))    # an array of values

``kanzen.shogi`` has positions of shogi in arrays: packing, unpacking, converting, training data.
docs/python.md of the source is a tour.
"""

from ._kanzen import CorruptError, Error, FileError, InputError, MismatchError, UnsupportedError, version as _version
from ._games import DRAW, LOSS, NO_INDEX, OUTCOMES, UNKNOWN, WIN, Game, Position, Value, game, games
from ._tables import Count, Move, Summary, Table, open, solve, table_path, value_dtype

__version__: str = _version()

__all__ = [
    "CorruptError",
    "Count",
    "DRAW",
    "Error",
    "FileError",
    "Game",
    "InputError",
    "LOSS",
    "MismatchError",
    "Move",
    "NO_INDEX",
    "OUTCOMES",
    "Position",
    "Summary",
    "Table",
    "UNKNOWN",
    "UnsupportedError",
    "Value",
    "WIN",
    "game",
    "games",
    "open",
    "solve",
    "table_path",
    "value_dtype",
]
