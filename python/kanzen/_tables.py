# SPDX-License-Identifier: MIT
"""Tables: the solution of a game in a file."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Type, Union, overload

from . import _kanzen
from ._arrays import numpy
from ._games import OUTCOMES, Game, Position, Value, game, index_array, value_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    DType = np.dtype[Any]
    One = Union[str, Position, int, np.integer[Any], None]
    Many = Union[NDArray[Any], List[Any], Tuple[Any, ...], range, Iterator[Any]]

Progress = Union[None, bool, Callable[[str, int, int], Any]]
"""Who hears how far long work is: nobody, the terminal (True), or a function of stage, done and total (0: not known)."""

Path = Union[str, "os.PathLike[str]"]

# Positions that are looked up at a time.
_AT_ONCE = 1 << 21


class Move(NamedTuple):
    """A move, its value for the side that makes it, and the position after it."""

    move: str
    value: Value
    position: Position


class Count(NamedTuple):
    """How many positions have a value."""

    value: Value
    positions: int


class Summary(NamedTuple):
    """What a solution amounts to. Mirror images and turns are counted once."""

    path: str
    positions: int
    wins: int
    losses: int
    draws: int
    longest_win: int
    longest_wins: int
    table_bytes: int
    solve_seconds: float
    write_seconds: float


def reporter(progress: Progress) -> Optional[Callable[[str, int, int], Any]]:
    """The function for a wish."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _print_progress
    if not callable(progress):
        raise TypeError("progress: None, True or a function of stage, done and total")
    return progress


def _print_progress(stage: str, done: int, total: int) -> None:
    share = f" {100 * done // total}%" if total else ""
    sys.stderr.write(f"\r\x1b[K{stage}{share}")
    sys.stderr.flush()


def value_dtype() -> "DType":
    """The type of arrays of values: ``outcome`` (UNKNOWN, LOSS, DRAW, WIN) and ``distance`` in plies."""
    np = numpy()
    dtype: DType = np.dtype([("outcome", np.int32), ("distance", np.int32)])
    return dtype


class Table:
    """An open table. :func:`open` gives one. Any number of threads may ask it at the same time.

    A table can be used in a ``with`` statement, which closes it.
    """

    def __init__(self, path: Path, of: Optional[Game] = None, *, cache: Optional[int] = None) -> None:
        self.path = os.fspath(path)
        self._capsule: Any = _kanzen.table_open(self.path, None if of is None else of._capsule)
        name, rules, self.positions, self.bytes, self.digest = _kanzen.table_info(self._capsule)
        self.game = of if of is not None else game(name)
        self.rules = self.game.rules[rules]
        if cache is not None:
            if cache < 0:
                raise ValueError("cache: a number of bytes")
            _kanzen.table_cache(self._capsule, cache)

    def __repr__(self) -> str:
        state = "closed " if self._capsule is None else ""
        return f"<{state}Table {self.game.name} {self.rules}: {self.path}>"

    def __enter__(self) -> "Table":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the table. Calls in other threads that are under way end normally."""
        self._capsule = None

    @property
    def closed(self) -> bool:
        return self._capsule is None

    @property
    def _handle(self) -> Any:
        capsule = self._capsule
        if capsule is None:
            raise ValueError("the table is closed")
        return capsule

    def _position(self, position: "One") -> Position:
        if position is None:
            return self.game.start(self.rules)
        if isinstance(position, bool):
            raise TypeError("a position is a text, a Position or an index, not bool")
        if isinstance(position, int) or hasattr(position, "__index__"):
            number = int(position)
            if not 0 <= number < self.game.index_size(self.rules):
                raise IndexError(f"an index is not below {self.game.index_size(self.rules)}, or negative")
            out, hole = bytearray(64), bytearray(1)
            rules = self.game.rules.index(self.rules)
            _kanzen.unrank(self.game._capsule, rules, number.to_bytes(8, "little"), out, hole)
            if hole[0]:
                raise IndexError(f"no position has the index {number}")
            return Position._make(self.game, rules, bytes(out))
        return self.game.position(position, self.rules)

    @overload
    def probe(self, positions: "One" = None, *, threads: Optional[int] = None) -> Value: ...

    @overload
    def probe(self, positions: "Many", *, threads: Optional[int] = None) -> "NDArray[np.void]": ...

    def probe(self, positions: Any = None, *, threads: Optional[int] = None) -> Any:
        """The value of one position, or of many.

        One is a text in any notation, a :class:`Position`, or an index; without it, the start: a :class:`Value`. Many are a
        list of texts or of positions; an array of indices (one dimension, whole numbers); or an array of positions (N, 8),
        as :meth:`Game.parse` and :meth:`Game.unrank` give it: an array with the members ``outcome`` (``kanzen.WIN`` and the
        like) and ``distance``. Where no position has an index, the outcome is ``kanzen.UNKNOWN``. Large arrays are looked up
        by several threads (``threads``: as many as processors), without the GIL.
        """
        handle = self._handle
        if threads is not None and threads < 1:
            raise ValueError("threads: a number from 1")
        if positions is None or isinstance(positions, (str, Position, int)) or hasattr(positions, "__index__") and not hasattr(positions, "__len__"):
            return value_of(_kanzen.probe(handle, bytes(self._position(positions))))
        if isinstance(positions, (bytes, bytearray, memoryview, dict)):
            raise TypeError(f"positions are texts, Positions or indices, not {type(positions).__name__}")
        np = numpy()
        if isinstance(positions, np.ndarray) and positions.dtype.kind != "U":
            array = positions
        else:
            positions = list(positions)
            whole = positions and all(hasattr(one, "__index__") for one in positions)
            array = np.asarray(positions) if whole else self.game.parse(positions, self.rules)
        values = np.zeros(len(array), value_dtype())
        if array.ndim == 2:
            self._look_up(handle, self.game.parse(array, self.rules), values, threads, 0)
            return values
        wanted = index_array(array, self.game.index_size(self.rules))
        rules = self.game.rules.index(self.rules)
        for begin in range(0, len(wanted), _AT_ONCE):
            part = wanted[begin : begin + _AT_ONCE]
            into = values[begin : begin + _AT_ONCE]
            # In ascending order both unranking and looking up take half the time, or less: neighbours share most of the work.
            if (part[1:] < part[:-1]).any():
                order = np.argsort(part)
                into[order] = self._probe_indices(handle, part[order], rules, threads)
            else:
                into[:] = self._probe_indices(handle, part, rules, threads)
        return values

    def _probe_indices(self, handle: Any, indices: Any, rules: int, threads: Optional[int]) -> Any:
        np = numpy()
        positions, holes = self.game._unrank(indices, rules, threads)
        values = np.zeros(len(indices), value_dtype())
        if holes.any():
            found = np.empty(len(indices) - np.count_nonzero(holes), values.dtype)
            self._look_up(handle, positions[~holes], found, threads, 0)
            values[~holes] = found
        else:
            self._look_up(handle, positions, values, threads, 0)
        return values

    def _look_up(self, handle: Any, positions: Any, values: Any, threads: Optional[int], first: int) -> None:
        # The library has threads of its own. Between two calls Ctrl-C is heard.
        for a in range(0, len(positions), _AT_ONCE):
            b = a + _AT_ONCE
            _kanzen.probe_positions(handle, positions[a:b], values[a:b], threads or 0, first + a)

    def moves(self, position: "One" = None) -> List[Move]:
        """Every legal move with its value, best first; without a position, those of the start."""
        at = self._position(position)
        number = at._number
        return [
            Move(text, value_of(value), Position._make(self.game, number, after))
            for text, value, after in _kanzen.probe_moves(self._handle, bytes(at))
        ]

    def line(self, position: "One" = None, *, most: int = 1000) -> List[Move]:
        """Perfect play: moves to the end of the game, to a repetition (of a drawn game), or so many of them."""
        at = self._position(position)
        line: List[Move] = []
        seen = {at}
        while len(line) < most:
            moves = self.moves(at)
            if not moves:
                break
            line.append(moves[0])
            at = moves[0].position
            if at in seen:
                break
            seen.add(at)
        return line

    def counts(self) -> List[Count]:
        """How many positions have which value: losses, draws, wins, each by distance."""
        return [Count(Value(OUTCOMES[outcome], distance), count) for outcome, distance, count in _kanzen.table_counts(self._handle)]

    def check(self, progress: Progress = None) -> None:
        """Reads the whole file and compares its checksums. CorruptError if one is wrong."""
        _kanzen.table_check(self._handle, reporter(progress))

    def verify(self, threads: int = 0, progress: Progress = None) -> Dict[str, int]:
        """Derives every value again from those of its successors, with a second implementation of the rules.

        MismatchError if any is wrong. Returns how many positions are won, lost and drawn.
        """
        return dict(_kanzen.table_verify(self._handle, threads, reporter(progress)))


def open(what: Union[Path, Game], rules: Optional[str] = None, *, path: Optional[Path] = None, cache: Optional[int] = None) -> Table:
    """Opens a table.

    ``what`` is a game ("dobutsu"; its table is looked for where ``kanzen solve`` puts it), or the path of a table, which
    ends in .kzt. ``path`` names the table of a game that does not come with Kanzen. ``cache`` says how many bytes of the table
    may be kept decoded in memory; 232 MB hold all of Dobutsu Shogi's.

    FileError if there is no table; the message says how to make it.
    """
    if isinstance(what, Game) or path is not None:
        one = game(what)
        place = table_path(one, rules) if path is None else os.fspath(path)
        opened = Table(place, one, cache=cache)
    elif not isinstance(what, str) or what.endswith(".kzt"):
        opened = Table(what, cache=cache)
    else:
        one = game(what)
        opened = Table(table_path(one, rules), one, cache=cache)
    if rules is not None and opened.rules != rules:
        raise ValueError(f"{opened.path} is a table of the rules {opened.rules}")
    return opened


def table_path(what: Union[str, Game], rules: Optional[str] = None) -> str:
    """The path of the table of a game that is there. FileError if there is none."""
    one = game(what)
    return str(_kanzen.table_find(one.name, one.rules[one._rules(rules)]))


def solve(
    what: Union[Path, Game],
    rules: Optional[str] = None,
    *,
    path: Optional[Path] = None,
    threads: int = 0,
    replace: bool = False,
    device: Optional[str] = None,
    progress: Progress = None,
) -> Summary:
    """Solves a game completely and writes its table, to ``path`` or where :func:`open` looks for it.

    Ctrl-C, or an exception in ``progress``, ends it; what was found stays in a folder beside the table, and the next call
    goes on from there. ``threads`` 0: one for each processor. ``device``: "cuda" for a graphics card, where the game can.
    """
    one = game(what)
    number = one._rules(rules)
    place = str(_kanzen.table_path(one.name, one.rules[number])) if path is None else os.fspath(path)
    if threads < 0:
        raise ValueError("threads: a number from 0")
    found = _kanzen.solve(one._capsule, number, place, threads, replace, device, reporter(progress))
    if progress is True:
        sys.stderr.write("\n")
    return Summary(path=place, **found)
