# SPDX-License-Identifier: MIT
"""Positions of shogi in arrays: packing, unpacking, converting, moves, duplicates, training data.

Records have the dtypes that users of cshogi and dlshogi have in their code, with the same names, offsets and sizes, so
``numpy.fromfile(path, kanzen.shogi.PackedSfenValue)`` and code that reads ``records["hcp"]`` work as they are:

====================================  =====  ==========================================================================
dtype                                 bytes  members
====================================  =====  ==========================================================================
``HuffmanCodedPos``                      32  hcp
``HuffmanCodedPosAndEval``               38  hcp, eval, bestMove16, gameResult, dummy
``HuffmanCodedPosAndEval2``              38  hcp, eval, bestMove16, result, dummy
``HuffmanCodedPosAndEval3``              36  hcp, moveNum, result, opponent: the head of a game
``MoveInfo``, ``MoveVisits``           6, 4  selectedMove16, eval, candidateNum; move16, visitNum: what follows it
``PackedSfen``                           32  sfen
``PackedSfenValue``                      40  sfen, score, move, gamePly, game_result, padding
``Sspf``, ``Sspfx``, ``Sspfc``           32  sspf, sspfx, sspfc: Kanzen's own formats
``SspfValue``                            40  sspf, score, move, gamePly, game_result, padding
====================================  =====  ==========================================================================

A position that is unpacked is a ``Position`` of 96 bytes: board (81 codes), hand (2 x 7), side. Squares are numbered as in
cshogi: (file - 1) * 9 + rank - 1; hands are pawn, lance, knight, silver, gold, bishop, rook, black's first.
"""

from ._arrays import numpy as _numpy

_numpy()  # the other parts load it, too; this one says how to get it

from ._dataset import Dataset
from ._files import (
    check_file,
    convert_file,
    dedupe_file,
    shuffle_file,
)
from ._records import (
    BOX,
    DIALECTS,
    HuffmanCodedPos,
    HuffmanCodedPosAndEval,
    HuffmanCodedPosAndEval2,
    HuffmanCodedPosAndEval3,
    LegalMoves,
    MoveInfo,
    MoveVisits,
    PackedSfen,
    PackedSfenValue,
    Position,
    START,
    Sspf,
    SspfValue,
    Sspfc,
    Sspfx,
    Unpacked,
    convert,
    cshogi_pieces,
    dedupe,
    dtype_of,
    is_first,
    legal_moves,
    move_from_usi,
    move_to_usi,
    pack,
    parse,
    play,
    sfens,
    unpack,
)

__all__ = [
    "BOX",
    "DIALECTS",
    "Dataset",
    "HuffmanCodedPos",
    "HuffmanCodedPosAndEval",
    "HuffmanCodedPosAndEval2",
    "HuffmanCodedPosAndEval3",
    "LegalMoves",
    "MoveInfo",
    "MoveVisits",
    "PackedSfen",
    "PackedSfenValue",
    "Position",
    "START",
    "Sspf",
    "SspfValue",
    "Sspfc",
    "Sspfx",
    "Unpacked",
    "check_file",
    "convert",
    "convert_file",
    "cshogi_pieces",
    "dedupe",
    "dedupe_file",
    "dtype_of",
    "is_first",
    "legal_moves",
    "move_from_usi",
    "move_to_usi",
    "pack",
    "parse",
    "play",
    "sfens",
    "shuffle_file",
    "unpack",
]
