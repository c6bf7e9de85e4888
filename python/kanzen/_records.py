# SPDX-License-Identifier: MIT
"""Records and positions of shogi in arrays; kanzen.shogi describes them."""


from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _kanzen
from ._arrays import in_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray


START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

# ---- dtypes ---------------------------------------------------------------------------------------------------------

_record = (np.uint8, 32)

HuffmanCodedPos = np.dtype([("hcp", *_record)])
HuffmanCodedPosAndEval = np.dtype(
    [("hcp", *_record), ("eval", "<i2"), ("bestMove16", "<i2"), ("gameResult", "i1"), ("dummy", "u1")]
)
HuffmanCodedPosAndEval2 = np.dtype(
    [("hcp", *_record), ("eval", "<i2"), ("bestMove16", "<i2"), ("result", "u1"), ("dummy", "u1")]
)
HuffmanCodedPosAndEval3 = np.dtype([("hcp", *_record), ("moveNum", "<u2"), ("result", "u1"), ("opponent", "u1")])
MoveInfo = np.dtype([("selectedMove16", "<i2"), ("eval", "<i2"), ("candidateNum", "<u2")])
MoveVisits = np.dtype([("move16", "<i2"), ("visitNum", "<u2")])
PackedSfen = np.dtype([("sfen", *_record)])
_value = [("score", "<i2"), ("move", "<u2"), ("gamePly", "<u2"), ("game_result", "i1"), ("padding", "u1")]
PackedSfenValue = np.dtype([("sfen", *_record), *_value])
Sspf = np.dtype([("sspf", *_record)])
Sspfx = np.dtype([("sspfx", *_record)])
Sspfc = np.dtype([("sspfc", *_record)])
SspfValue = np.dtype([("sspf", *_record), *_value])

Position = np.dtype([("board", np.uint8, 81), ("hand", np.uint8, (2, 7)), ("side", np.uint8)])
"""A position that is unpacked; shogi/docs/packing.md has the codes of the board."""

_DTYPES: Dict[str, "np.dtype[Any]"] = {
    "hcp": HuffmanCodedPos,
    "hcpe": HuffmanCodedPosAndEval,
    "hcpe2": HuffmanCodedPosAndEval2,
    "psfen": PackedSfen,
    "psv": PackedSfenValue,
    "sspf": Sspf,
    "sspfx": Sspfx,
    "sspfc": Sspfc,
    "sspv": SspfValue,
}

Records = Union[str, "np.dtype[Any]"]
"""A kind of records: one of the dtypes above, or its short name: hcp, hcpe, hcpe2, psfen, psv, sspf, sspfx, sspfc, sspv."""

DIALECTS: Tuple[str, ...] = ("yaneuraou", "drops82", "apery")
"""How a move is written in 16 bits; psv is usually "yaneuraou", hcpe "apery" (cshogi's move16)."""

BOX: Tuple[int, ...] = (18, 4, 4, 4, 4, 2, 2)
"""How many pieces of each kind there are."""


def dtype_of(kind: Records) -> "np.dtype[Any]":
    """The dtype of a kind of records."""
    return _DTYPES[_name_of(kind)]


def _name_of(kind: Records) -> str:
    if isinstance(kind, str):
        if kind not in _DTYPES:
            raise ValueError(f"there are no records called '{kind}': {', '.join(_DTYPES)}")
        return kind
    kind = np.dtype(kind)
    for name, dtype in _DTYPES.items():
        # By names and offsets: some programs have a move signed, and others unsigned.
        if kind.names == dtype.names and kind.itemsize == dtype.itemsize:
            assert kind.fields is not None and dtype.fields is not None
            if all(kind.fields[member][1] == dtype.fields[member][1] for member in dtype.names or ()):
                return name
    raise TypeError(f"{kind} is no dtype of kanzen.shogi; name the kind, as in of='hcp'")


class _Kind(NamedTuple):
    name: str
    number: int
    bytes: int
    format: int
    holds: int

    @property
    def dialect(self) -> int:
        """The usual one."""
        return 2 if self.name.startswith("hcp") else 0


def _kind(name: str) -> _Kind:
    return _Kind(name, *_kanzen.shogi_record_info(name))


def _dialect(name: Optional[str], usual: int) -> int:
    if name is None:
        return usual
    if name not in DIALECTS:
        raise ValueError(f"there is no dialect '{name}': {', '.join(DIALECTS)}")
    return DIALECTS.index(name)


def _records(records: Any, of: Optional[Records]) -> Tuple["NDArray[Any]", _Kind]:
    """Records as an array that the extension takes: it may be strided, such as one member of other records."""
    if isinstance(records, (bytes, bytearray, memoryview)):
        if of is None:
            raise TypeError("bytes don't say what records they are; name the kind, as in of='psv'")
        dtype = dtype_of(of)
        if len(records) % dtype.itemsize:
            raise ValueError(f"{len(records)} bytes are no whole number of records of {dtype.itemsize} bytes")
        records = np.frombuffer(records, dtype)
    array = np.asarray(records)
    if array.dtype.names is None:
        if of is None:
            raise TypeError(f"an array of {array.dtype} does not say what records it has; name the kind, as in of='hcp'")
        kind = _kind(_name_of(of))
        if array.dtype != np.uint8 or array.ndim not in (1, 2) or array.shape[-1] != kind.bytes:
            raise TypeError(f"records of the kind {kind.name} are rows of {kind.bytes} bytes, not {array.shape} of {array.dtype}")
        array = np.atleast_2d(array)
    else:
        kind = _kind(_name_of(array.dtype if of is None else of))
        if array.dtype.itemsize != kind.bytes:
            raise TypeError(f"records of the kind {kind.name} have {kind.bytes} bytes, not {array.dtype.itemsize}")
        array = np.atleast_1d(array)
        if array.ndim != 1:
            raise TypeError("an array of records has one dimension")
    # One after the other, in steps forward.
    if array.strides[0] < kind.bytes or array.ndim == 2 and array.strides[1] != 1:
        array = np.ascontiguousarray(array)
    return array, kind


# ---- Positions ------------------------------------------------------------------------------------------------------

Positions = Union[str, Sequence[str], "NDArray[Any]"]
"""One SFEN, several, or an array of ``Position``."""


def parse(positions: Positions) -> "NDArray[Any]":
    """SFENs as an array of ``Position``; such an array is taken as it is. The move number is no part of a position."""
    if isinstance(positions, str):
        positions = [positions]
    if isinstance(positions, (np.ndarray, np.void)) and positions.dtype.names is not None:
        if positions.dtype != Position:
            raise TypeError(f"an array of {positions.dtype} was given, not of kanzen.shogi.Position")
        return np.ascontiguousarray(np.atleast_1d(positions))
    array = np.empty(len(positions), Position)
    for number, text in enumerate(positions):
        if not isinstance(text, str):
            raise TypeError(f"number {number} is no text")
        try:
            array[number] = np.frombuffer(_kanzen.shogi_parse(START if text == "startpos" else text)[0], Position)[0]
        except _kanzen.InputError as error:
            raise _kanzen.InputError(f"number {number}: {error}") from None
    return array


def sfens(positions: Positions, ply: int = 1) -> List[str]:
    """The SFENs of positions."""
    return [_kanzen.shogi_format(row.tobytes(), ply) for row in parse(positions)]


def pack(positions: Positions, to: Records = HuffmanCodedPos, *, threads: Optional[int] = None) -> "NDArray[Any]":
    """Positions as records; what else a record has is 0. ``InputError`` names the first that the format can't hold.

    >>> from kanzen import shogi
    >>> shogi.pack("startpos", "sspf")["sspf"][0].tobytes().hex()[:16]
    '8a1e2f5a5454b4e8'
    """
    kind = _kind(_name_of(to))
    array = parse(positions)
    records = np.zeros(len(array), dtype_of(to))
    in_parts(len(array), threads, lambda a, b: _kanzen.shogi_pack(kind.format, array[a:b], records[a:b], a))
    return records


class Unpacked(NamedTuple):
    """Positions in arrays, which are views of one array of ``Position``: nothing was copied."""

    boards: "NDArray[np.uint8]"
    """(N, 81)"""
    hands: "NDArray[np.uint8]"
    """(N, 2, 7), black's first"""
    sides: "NDArray[np.uint8]"
    """(N,): 0 black moves, 1 white"""

    @property
    def positions(self) -> "NDArray[Any]":
        """The array that the others are views of."""
        base = self.boards.base
        assert base is not None
        return base


def unpack(
    records: Any, of: Optional[Records] = None, *, out: Optional["NDArray[Any]"] = None, threads: Optional[int] = None
) -> Unpacked:
    """Records as boards (N x 81), hands (N x 2 x 7) and sides.

    ``records`` is an array of one of the dtypes of this module, one member of it (``records["hcp"]``, with ``of="hcp"``), or
    bytes. ``of`` says what records they are where the dtype does not. ``out``: an array of N ``Position`` to use again.
    ``InputError`` names the first bad record.
    """
    if of is not None and isinstance(records, np.ndarray) and records.dtype == np.uint8 and records.shape[-1:] == (32,):
        # The position alone, whatever it was taken from.
        format_kind = _kind(_name_of(of))
        name = next(n for n in ("sspf", "sspfx", "sspfc", "psfen", "hcp") if _kind(n).format == format_kind.format)
        array, kind = _records(records, name)
    else:
        array, kind = _records(records, of)
    if out is None:
        out = np.empty(len(array), Position)
    elif out.dtype != Position or out.shape != (len(array),) or not out.flags.c_contiguous:
        raise TypeError(f"out: an array of {len(array)} kanzen.shogi.Position, one after the other")
    into = out
    in_parts(len(array), threads, lambda a, b: _kanzen.shogi_unpack(kind.format, array[a:b], into[a:b], a))
    return Unpacked(out["board"], out["hand"], out["side"])


def cshogi_pieces(boards: "NDArray[np.uint8]") -> "NDArray[np.uint8]":
    """The codes of boards as cshogi numbers pieces: 1 pawn, 2 lance, 3 knight, 4 silver, 5 bishop, 6 rook, 7 gold, 8 king,
    9 to 14 promoted, and 16 more for white; 0 for an empty square."""
    return _CSHOGI[boards]


def _cshogi_table() -> "NDArray[np.uint8]":
    table = np.zeros(256, np.uint8)
    codes = {0x80: 1, 0x81: 2, 0x85: 3, 0x83: 4, 0x8F: 5, 0x9F: 6, 0x87: 7, 0x01: 8}
    for code, piece in codes.items():
        for white in (0, 1):
            table[code | white << 6] = piece + 16 * white
            if piece < 7:
                table[code | 0x20 | white << 6] = piece + 8 + 16 * white
    return table


_CSHOGI = _cshogi_table()

# ---- Moves ----------------------------------------------------------------------------------------------------------


class LegalMoves(NamedTuple):
    """The legal moves of many positions: those of number i are ``moves[offsets[i]:offsets[i + 1]]``."""

    moves: "NDArray[np.uint16]"
    offsets: "NDArray[np.int64]"


@overload
def legal_moves(positions: str) -> List[str]: ...


@overload
def legal_moves(
    positions: Union[List[str], Tuple[str, ...], "NDArray[Any]"], *, dialect: str = "apery", threads: Optional[int] = None
) -> LegalMoves: ...


def legal_moves(positions: Any, *, dialect: str = "apery", threads: Optional[int] = None) -> Any:
    """The legal moves of one SFEN in USI; or of many positions, in 16 bits each (cshogi's move16, or another dialect).

    >>> from kanzen import shogi
    >>> len(shogi.legal_moves("startpos"))
    30
    """
    if isinstance(positions, str):
        return _kanzen.shogi_moves(parse(positions).tobytes())
    array = parse(positions)
    number = _dialect(dialect, 2)
    counts = np.empty(len(array), np.uint16)
    parts: Dict[int, bytes] = {}

    def part(a: int, b: int) -> None:
        parts[a] = _kanzen.shogi_moves_many(array[a:b], number, counts[a:b])

    in_parts(len(array), threads, part)
    offsets = np.zeros(len(array) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return LegalMoves(np.frombuffer(b"".join(parts[a] for a in sorted(parts)), np.uint16), offsets)


def play(sfen: str, *moves: str) -> str:
    """The SFEN after these moves in USI. ``InputError`` for one that is not legal."""
    position, ply = _kanzen.shogi_parse(START if sfen == "startpos" else sfen)
    for move in moves:
        position = _kanzen.shogi_play(position, move)
    return str(_kanzen.shogi_format(position, ply + len(moves)))


def move_to_usi(move: int, dialect: str = "apery") -> str:
    """The USI text of a move in 16 bits."""
    return str(_kanzen.shogi_move_text(int(move) & 0xFFFF, _dialect(dialect, 2)))


def move_from_usi(text: str, dialect: str = "apery") -> int:
    """A move in 16 bits from its USI text."""
    return int(_kanzen.shogi_move_bits(text, _dialect(dialect, 2)))


# ---- Records --------------------------------------------------------------------------------------------------------


def convert(
    records: Any,
    to: Records,
    of: Optional[Records] = None,
    *,
    dialect: Optional[str] = None,
    to_dialect: Optional[str] = None,
    threads: Optional[int] = None,
) -> "NDArray[Any]":
    """Records of another kind: position, score, move, ply and result, as far as both kinds have them; the rest is 0."""
    array, kind = _records(records, of)
    target = _kind(_name_of(to))
    source_dialect, target_dialect = _dialect(dialect, kind.dialect), _dialect(to_dialect, target.dialect)
    made = np.zeros(len(array), dtype_of(to))
    in_parts(
        len(array),
        threads,
        lambda a, b: _kanzen.shogi_convert(
            kind.number, source_dialect, array[a:b], target.number, target_dialect, made[a:b], a
        ),
    )
    return made


def is_first(records: Any, of: Optional[Records] = None) -> "NDArray[np.bool_]":
    """For each record whether its position was not there before. Positions are compared, not bytes."""
    array, kind = _records(records, of)
    keep = np.zeros(len(array), np.uint8)
    _kanzen.shogi_first(kind.format, array, keep)
    return keep.view(np.bool_)


def dedupe(records: Any, of: Optional[Records] = None) -> "NDArray[Any]":
    """The records without those whose position was there before; the first one is kept, and the order."""
    array, _ = _records(records, of)
    return array[is_first(records, of)]
