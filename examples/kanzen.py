#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kanzen in Python, with nothing but the standard library.

    with Table("mini.kzt") as table:
        position = table.start()
        print(table.text(position), table.probe(position))
        for move in table.moves(position):
            print(move.text, move.value)

    record = pack("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    print(record.hex(), unpack(record))

The shared libraries are looked for where the system keeps libraries; the environment variable KANZEN_LIBRARY names
another file of libkanzen, and libkanzen-shogi is beside it. As a program: kanzen.py TABLE [POSITION], or kanzen.py --pack SFEN."""

import ctypes
import ctypes.util
import os
import sys
from collections import namedtuple
from ctypes import CFUNCTYPE, POINTER, byref, c_char, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

# ---- What the headers declare: the structs and calls that are used below, under the same names ----------------------

KZ_OK = 0
KZ_MAX_MOVES = 24576
KZ_TEXT_BYTES = 1024
KZ_SHOGI_SFEN_BYTES = 256
KZ_SHOGI_RECORD_BYTES = 32
OUTCOMES = ("unknown", "loss", "draw", "win")
FORMATS = ("sspf", "sspfx", "sspfc", "psfen", "hcp")


class kz_error(ctypes.Structure):
    _fields_ = [("status", c_int), ("message", c_char * 320)]


class kz_position(ctypes.Structure):
    _fields_ = [("words", c_uint64 * 8)]


class kz_value(ctypes.Structure):
    _fields_ = [("outcome", c_int), ("distance", c_int)]


class kz_scored_move(ctypes.Structure):
    _fields_ = [("move", c_uint32), ("value", kz_value)]


class kz_shogi_position(ctypes.Structure):
    _fields_ = [("board", c_uint8 * 81), ("hand", (c_uint8 * 7) * 2), ("side", c_uint8)]


class kz_shogi_codec(ctypes.Structure):
    _fields_ = [
        ("format", c_int),
        ("name", c_char_p),
        ("path", c_char_p),
        ("pack", CFUNCTYPE(c_int, POINTER(kz_shogi_position), POINTER(c_uint8))),
        ("unpack", CFUNCTYPE(c_int, POINTER(c_uint8), POINTER(kz_shogi_position))),
        ("pack_many", c_void_p),
        ("unpack_many", c_void_p),
    ]


# Result and arguments. A game and a table are handles: pointers that are only handed on.
CALLS = {
    "kz_version": (c_char_p,),
    "kz_table_open": (c_int, c_char_p, POINTER(c_void_p), POINTER(kz_error)),
    "kz_table_close": (None, c_void_p),
    "kz_table_game": (c_void_p, c_void_p),
    "kz_table_rules": (c_int, c_void_p),
    "kz_game_name": (c_char_p, c_void_p),
    "kz_rules_name": (c_char_p, c_void_p, c_int),
    "kz_start": (None, c_void_p, c_int, POINTER(kz_position)),
    "kz_parse": (c_int, c_void_p, c_int, c_char_p, c_size_t, POINTER(kz_position), POINTER(kz_error)),
    "kz_format": (c_int, c_void_p, POINTER(kz_position), c_int, c_char_p, c_size_t, POINTER(kz_error)),
    "kz_play": (None, c_void_p, c_int, POINTER(kz_position), c_uint32),
    "kz_move_parse": (
        c_int, c_void_p, c_int, POINTER(kz_position), c_char_p, c_size_t, POINTER(c_uint32), POINTER(kz_error),
    ),
    "kz_move_format": (c_int, c_void_p, POINTER(kz_position), c_uint32, c_char_p, c_size_t, POINTER(kz_error)),
    "kz_distance_shown": (c_int, c_void_p, kz_value),
    "kz_probe": (c_int, c_void_p, POINTER(kz_position), POINTER(kz_value), POINTER(kz_error)),
    "kz_probe_moves": (
        c_int, c_void_p, POINTER(kz_position), POINTER(kz_scored_move), POINTER(c_int), POINTER(kz_error),
    ),
    "kz_shogi_codec_for": (POINTER(kz_shogi_codec), c_int, c_char_p),
    "kz_shogi_defect_text": (c_char_p, c_int),
    "kz_shogi_parse_sfen": (
        c_int, c_char_p, c_size_t, POINTER(kz_shogi_position), POINTER(c_int), POINTER(kz_error),
    ),
    "kz_shogi_format_sfen": (c_size_t, POINTER(kz_shogi_position), c_int, c_char_p),
}


def load():
    path = os.environ.get("KANZEN_LIBRARY") or ctypes.util.find_library("kanzen")
    if not path:
        raise OSError("libkanzen is not installed; KANZEN_LIBRARY can name the file")
    library = ctypes.CDLL(path)
    shogi = ctypes.CDLL("libkanzen-shogi".join(path.rsplit("libkanzen", 1)))
    for name, (result, *arguments) in CALLS.items():
        call = getattr(shogi if name.startswith("kz_shogi_") else library, name)
        call.restype = result
        call.argtypes = arguments
        setattr(library, name, call)
    return library


kz = load()

# ---- The same for people ---------------------------------------------------------------------------------------------


class Error(Exception):
    """What a call could not do. `status` is the kz_status."""

    def __init__(self, error):
        super().__init__(error.message.decode())
        self.status = error.status


def _check(call, *arguments):
    """Calls what ends with a kz_error, and raises it."""
    error = kz_error()
    if call(*arguments, byref(error)) != KZ_OK:
        raise Error(error)


Move = namedtuple("Move", "number text value")


class Value(namedtuple("Value", "outcome plies shown")):
    """`outcome` is "win", "loss" or "draw" for the side to move, `shown` the distance as people count in this game."""

    def __str__(self):
        return f"{self.outcome} {self.shown}" if self.outcome in ("win", "loss") else self.outcome


class Table:
    """An open table. Any number of threads may ask it; ctypes lets other threads run meanwhile."""

    def __init__(self, path):
        self._table = c_void_p()
        _check(kz.kz_table_open, os.fsencode(path), byref(self._table))
        self._game = kz.kz_table_game(self._table)
        self._rules = kz.kz_table_rules(self._table)
        self.game = kz.kz_game_name(self._game).decode()
        self.rules = kz.kz_rules_name(self._game, self._rules).decode()

    def close(self):
        """Closes it; nobody may be asking any more."""
        kz.kz_table_close(self._table)
        self._table = c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self):
        """The position that the game begins with."""
        position = kz_position()
        kz.kz_start(self._game, self._rules, byref(position))
        return position

    def parse(self, text):
        """A position from text in any notation of the game."""
        position = kz_position()
        data = text.encode()
        _check(kz.kz_parse, self._game, self._rules, data, len(data), byref(position))
        return position

    def text(self, position, notation=0):
        buffer = ctypes.create_string_buffer(KZ_TEXT_BYTES)
        _check(kz.kz_format, self._game, byref(position), notation, buffer, len(buffer))
        return buffer.value.decode()

    def probe(self, position):
        value = kz_value()
        _check(kz.kz_probe, self._table, byref(position), byref(value))
        return self._value(value)

    def moves(self, position):
        """Every legal move with its value, best first."""
        moves = (kz_scored_move * KZ_MAX_MOVES)()
        count = c_int()
        _check(kz.kz_probe_moves, self._table, byref(position), moves, byref(count))
        return [Move(m.move, self._move_text(position, m.move), self._value(m.value)) for m in moves[: count.value]]

    def play(self, position, move):
        """The position after a move: one that `moves` gave, or the text of one."""
        if isinstance(move, str):
            number, data = c_uint32(), move.encode()
            _check(
                kz.kz_move_parse, self._game, self._rules, byref(position), data, len(data), byref(number)
            )
            number = number.value
        else:
            number = move.number
        after = kz_position.from_buffer_copy(position)
        kz.kz_play(self._game, self._rules, byref(after), number)
        return after

    def line(self, position, plies=200):
        """Perfect play: moves until the game ends, or so many of them."""
        for _ in range(plies):
            moves = self.moves(position)
            if not moves:
                return
            yield moves[0]
            position = self.play(position, moves[0])

    def _move_text(self, position, move):
        buffer = ctypes.create_string_buffer(KZ_TEXT_BYTES)
        _check(kz.kz_move_format, self._game, byref(position), move, buffer, len(buffer))
        return buffer.value.decode()

    def _value(self, value):
        return Value(OUTCOMES[value.outcome], value.distance, kz.kz_distance_shown(self._game, value))


def _codec(name):
    return kz.kz_shogi_codec_for(FORMATS.index(name), None).contents


def _fine(defect):
    if defect:
        raise ValueError(kz.kz_shogi_defect_text(defect).decode())


def pack(sfen, to="sspf"):
    """A shogi position in 32 bytes, from its SFEN."""
    position = kz_shogi_position()
    data = sfen.encode()
    _check(kz.kz_shogi_parse_sfen, data, len(data), byref(position), None)
    record = (c_uint8 * KZ_SHOGI_RECORD_BYTES)()
    _fine(_codec(to).pack(byref(position), record))
    return bytes(record)


def unpack(record, of="sspf"):
    """The SFEN of a record of 32 bytes. The move number is no part of it."""
    if len(record) != KZ_SHOGI_RECORD_BYTES:
        raise ValueError(f"a record has {KZ_SHOGI_RECORD_BYTES} bytes")
    position = kz_shogi_position()
    _fine(_codec(of).unpack((c_uint8 * KZ_SHOGI_RECORD_BYTES).from_buffer_copy(record), byref(position)))
    text = ctypes.create_string_buffer(KZ_SHOGI_SFEN_BYTES)
    kz.kz_shogi_format_sfen(byref(position), 1, text)
    return text.value.decode()


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--pack":
        record = pack(arguments[1])
        print(record.hex())
        print(unpack(record))
    elif len(arguments) in (1, 2):
        with Table(arguments[0]) as table:
            position = table.parse(arguments[1]) if len(arguments) > 1 else table.start()
            print(f"{table.game}, {table.rules}")
            print(f"{table.text(position)}\t{table.probe(position)}")
            print("\nmoves")
            for move in table.moves(position)[:5]:
                print(f"{move.text}\t{move.value}")
            print("\nline")
            for ply, move in enumerate(table.line(position), 1):
                print(f"{ply}\t{move.text}\t{move.value}")
    else:
        print("usage: kanzen.py TABLE [POSITION]\n       kanzen.py --pack SFEN", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Error, OSError, ValueError) as error:
        sys.exit(f"kanzen.py: {error}")
