# SPDX-License-Identifier: MIT
"""Games, positions and values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _kanzen
from ._arrays import in_parts, numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    # In functions ``np`` is what numpy() returns, of which type checkers know nothing.
    Rows = NDArray[np.uint64]
    Indices = NDArray[np.uint64]

UNKNOWN, LOSS, DRAW, WIN = range(4)
"""Outcomes as numbers: what the member ``outcome`` of an array of values holds."""

OUTCOMES: Tuple[str, ...] = ("unknown", "loss", "draw", "win")
"""Their names, in that order."""

NO_INDEX = 2**64 - 1
"""What :meth:`Game.rank` gives for a position that has no index."""

_POSITION_BYTES = 64


class Value(NamedTuple):
    """What a position is worth to the side to move.

    ``distance`` is the number of plies to the end when the winner hurries and the loser delays; 0 for draws and unknown
    values.
    """

    outcome: str
    distance: int

    def __str__(self) -> str:
        return self.outcome if self.outcome in ("draw", "unknown") else f"{self.outcome} {self.distance}"


def value_of(pair: Tuple[int, int]) -> Value:
    return Value(OUTCOMES[pair[0]], pair[1])


class Position:
    """A position of a game by a rule set. It does not change; :meth:`play` gives another one.

    >>> import kanzen
    >>> start = kanzen.game("dobutsu").start()
    >>> print(start)
    gle/1c1/1C1/ELG b - 1
    >>> start.side
    'sente'
    """

    __slots__ = ("game", "rules", "_data")

    game: "Game"
    rules: str
    _data: bytes

    def __init__(self, game: "Game", rules: Optional[str], data: bytes) -> None:
        """For positions from arrays: ``data`` are the 64 bytes of a row. They are checked."""
        number = game._rules(rules)
        _kanzen.validate(game._capsule, number, data)
        self._set(game, number, data)

    def _set(self, game: "Game", rules: int, data: bytes) -> None:
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "rules", game.rules[rules])
        object.__setattr__(self, "_data", data)

    @classmethod
    def _make(cls, game: "Game", rules: int, data: bytes) -> "Position":
        position = cls.__new__(cls)
        position._set(game, rules, data)
        return position

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a position does not change")

    @property
    def _number(self) -> int:
        return self.game.rules.index(self.rules)

    def format(self, notation: Optional[str] = None) -> str:
        """The position as text, in one of ``game.notations``; without it, in the first of them."""
        number = 0 if notation is None else self.game._notation(notation)
        return str(_kanzen.format(self.game._capsule, number, self._data))

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<Position {self.game.name} {self.rules}: {self}>"

    def __eq__(self, other: object) -> bool:
        """Whether two positions are the same, move number and the like aside."""
        if not isinstance(other, Position):
            return NotImplemented
        if self.game.name != other.game.name or self.rules != other.rules:
            return False
        return bool(_kanzen.same(self.game._capsule, self._number, self._data, other._data))

    def __hash__(self) -> int:
        return hash((self.game.name, self.rules, self.rank()))

    def __bytes__(self) -> bytes:
        """The 64 bytes that stand for the position in arrays."""
        return self._data

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (self.game.source, self.rules, self._data)

    @property
    def side(self) -> str:
        """Who moves: "sente", "gote" and the like."""
        return str(_kanzen.side(self.game._capsule, self._number, self._data))

    @property
    def immediate(self) -> Value:
        """The value, if the rules alone tell it; unknown otherwise."""
        return value_of(_kanzen.immediate(self.game._capsule, self._number, self._data))

    def moves(self) -> List[str]:
        """The legal moves, in the order of the rules. A finished game has none."""
        return list(_kanzen.moves(self.game._capsule, self._number, self._data))

    def play(self, *moves: str) -> "Position":
        """The position after these moves."""
        data = self._data
        for move in moves:
            data = _kanzen.play(self.game._capsule, self._number, data, move)
        return Position._make(self.game, self._number, data)

    def rank(self) -> Optional[int]:
        """The position's index in the order of tables; None if it has none."""
        out = bytearray(8)
        _kanzen.rank(self.game._capsule, self._number, self._data, out)
        index = int.from_bytes(out, "little")
        return None if index == NO_INDEX else index

    def draw(self) -> str:
        """The board in characters, several lines."""
        return str(_kanzen.draw(self.game._capsule, 0, self._data))

    def svg(self) -> str:
        """The board as an SVG document."""
        return str(_kanzen.draw(self.game._capsule, 1, self._data))

    def _repr_svg_(self) -> str:
        # Notebooks show it.
        return self.svg()

    def perft(self, depth: int) -> int:
        """The number of move sequences of ``depth`` plies."""
        if depth < 0:
            raise ValueError("depth: a number from 0")
        return int(_kanzen.perft(self.game._capsule, self._number, self._data, depth))

    def prove(self, depth: int = 0, threads: int = 0) -> Value:
        """Searches for the value without a table, in games that have such a search.

        ``depth`` counts turns; 0 is as deep as never takes long. The value is unknown if nothing was proven.
        """
        if depth < 0 or threads < 0:
            raise ValueError("depth and threads: numbers from 0")
        return value_of(_kanzen.prove(self.game._capsule, self._number, self._data, depth, threads, None))


def _restore(source: str, rules: str, data: bytes) -> Position:
    return Position(game(source), rules, data)


Positions = Union["NDArray[np.uint64]", Sequence[Union[str, Position]]]
"""Many positions: texts, :class:`Position`, or an array of shape (N, 8) as :meth:`Game.parse` gives it."""


class Game:
    """A game: its rules, its notations, and its positions. :func:`game` gives one."""

    __slots__ = ("source", "name", "title", "unit", "rules", "notations", "proves", "_capsule")

    source: str
    """What the game was asked for by: its name, or a path."""
    name: str
    title: str
    unit: str
    """What people count distances in: "plies", or "turns"."""
    rules: Tuple[str, ...]
    """The names of the rule sets, the default first. For Push Fight they are the boards."""
    notations: Tuple[str, ...]
    """The notations that can be written, the canonical one first. More can be read."""
    proves: bool
    """Whether the game has a search that works without a table (:meth:`Position.prove`)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._capsule = _kanzen.game_open(source)
        self.name, self.title, self.unit, self.rules, self.notations, self.proves = _kanzen.game_info(self._capsule)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.title}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return game, (self.source,)

    def _rules(self, rules: Optional[str]) -> int:
        if rules is None:
            return 0
        if rules not in self.rules:
            raise ValueError(f"{self.name} has no rules '{rules}': {', '.join(self.rules)}")
        return self.rules.index(rules)

    def _notation(self, notation: str) -> int:
        if notation not in self.notations:
            raise ValueError(f"{self.name} has no notation '{notation}': {', '.join(self.notations)}")
        return self.notations.index(notation)

    def start(self, rules: Optional[str] = None) -> Position:
        """The position that the game begins with."""
        number = self._rules(rules)
        return Position._make(self, number, _kanzen.start(self._capsule, number))

    def position(self, text: Union[str, Position], rules: Optional[str] = None) -> Position:
        """A position from text in any notation of the game, or "startpos"."""
        if isinstance(text, Position):
            if text.game.name != self.name or (rules is not None and text.rules != rules):
                raise ValueError(f"a position of {text.game.name} ({text.rules}) was given")
            return text
        if not isinstance(text, str):
            raise TypeError(f"a position is a text or a Position, not {type(text).__name__}")
        number = self._rules(rules)
        return Position._make(self, number, _kanzen.parse(self._capsule, number, text))

    def index_size(self, rules: Optional[str] = None) -> int:
        """Indices go from 0 to this number - 1."""
        return int(_kanzen.index_size(self._capsule, self._rules(rules)))

    # ---- Arrays

    def parse(self, positions: Positions, rules: Optional[str] = None) -> "NDArray[np.uint64]":
        """Many positions as an array of shape (N, 8): 64 bytes each. An array of that kind is taken as it is."""
        np = numpy()
        number = self._rules(rules)
        if isinstance(positions, np.ndarray) and positions.dtype.kind != "U":
            return _position_array(positions)
        texts = [str(text) if isinstance(text, Position) else text for text in positions]
        array: Rows = np.zeros((len(texts), 8), np.uint64)
        _kanzen.parse_many(self._capsule, number, texts, array)
        return array

    def format(self, positions: "NDArray[np.uint64]", notation: Optional[str] = None, rules: Optional[str] = None) -> List[str]:
        """The texts of an array of positions."""
        return [position.format(notation) for position in self.positions(positions, rules)]

    def positions(self, positions: "NDArray[np.uint64]", rules: Optional[str] = None) -> Iterator[Position]:
        """The rows of an array, one :class:`Position` after the other."""
        for row in _position_array(positions):
            yield Position(self, rules, row.tobytes())

    def rank(self, positions: Positions, rules: Optional[str] = None, threads: Optional[int] = None) -> "NDArray[np.uint64]":
        """The indices of many positions; ``NO_INDEX`` for one that has none."""
        np = numpy()
        number = self._rules(rules)
        array = self.parse(positions, rules)
        indices: Indices = np.empty(len(array), np.uint64)
        in_parts(len(array), threads, lambda a, b: _kanzen.rank(self._capsule, number, array[a:b], indices[a:b]))
        return indices

    def unrank(self, indices: Any, rules: Optional[str] = None, threads: Optional[int] = None) -> "NDArray[np.uint64]":
        """Positions with these indices, as an array of shape (N, 8). IndexError if no position has one of them."""
        wanted = index_array(indices, self.index_size(rules))
        positions, holes = self._unrank(wanted, self._rules(rules), threads)
        if holes.any():
            first = int(holes.argmax())
            raise IndexError(f"number {first}: no position has the index {wanted[first]}")
        return positions

    def _unrank(
        self, wanted: "NDArray[np.uint64]", rules: int, threads: Optional[int]
    ) -> Tuple["NDArray[np.uint64]", "NDArray[np.bool_]"]:
        """Positions, and for each index whether no position has it."""
        np = numpy()
        positions = np.empty((len(wanted), 8), np.uint64)
        holes = np.empty(len(wanted), np.bool_)
        in_parts(
            len(wanted),
            threads,
            lambda a, b: _kanzen.unrank(self._capsule, rules, wanted[a:b], positions[a:b], holes[a:b]),
        )
        return positions, holes


def _position_array(positions: "NDArray[Any]") -> "NDArray[np.uint64]":
    np = numpy()
    if positions.dtype != np.uint64 or positions.ndim != 2 or positions.shape[1] != 8:
        raise TypeError(
            f"an array of positions has the shape (N, 8) and the type uint64, not {positions.shape} and {positions.dtype}"
        )
    rows: Rows = np.ascontiguousarray(positions)
    return rows


def index_array(indices: Any, size: int) -> "NDArray[np.uint64]":
    """Indices as an array of uint64, all below ``size``."""
    np = numpy()
    array = np.asarray(indices)
    wanted: Indices = np.empty(0, np.uint64)
    if array.size == 0:
        return wanted
    if array.ndim != 1 or array.dtype.kind not in "ui":
        raise TypeError(f"an array of indices has one dimension and whole numbers, not {array.shape} and {array.dtype}")
    if (array.dtype.kind == "i" and array.min() < 0) or int(array.max()) >= size:
        raise IndexError(f"an index is not below {size}, or negative")
    wanted = np.ascontiguousarray(array, np.uint64)
    return wanted


_bundled: Dict[str, Game] = {}


def game(name: Union[str, "os.PathLike[str]", Game]) -> Game:
    """The game called ``name``; or the one in a shared object, whose path has a '/' in it; or NAME.so in ``$KANZEN_GAMES``.

    A shared object is code, which is run.
    """
    if isinstance(name, Game):
        return name
    text = os.fspath(name)
    if text in _bundled:
        return _bundled[text]
    found = Game(text)
    if text in _kanzen.game_names():
        _bundled[text] = found
    return found


def games() -> List[Game]:
    """The games that come with Kanzen."""
    return [game(name) for name in _kanzen.game_names()]
