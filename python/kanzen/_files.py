# SPDX-License-Identifier: MIT
"""Files of shogi records."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Union

from . import _kanzen
from ._records import DIALECTS, _dialect, _kind
from ._tables import Progress, reporter

Path = Union[str, "os.PathLike[str]"]
_FILES = {"convert": 0, "dedupe": 1, "shuffle": 2, "check": 3}


def kind_of_path(path: Path) -> str:
    """The kind of records that a file has, by the end of its name: train.psv, games.csa, train.hcpe.zst."""
    name = os.fspath(path)
    for packed in (".zst", ".gz"):
        name = name[: -len(packed)] if name.endswith(packed) else name
    return os.path.splitext(name)[1].lstrip(".")


def _file(
    what: str,
    source: Path,
    target: Optional[Path],
    of: Optional[str],
    to: Optional[str],
    dialect: Optional[str],
    to_dialect: Optional[str],
    replace: bool,
    skip_bad: bool,
    threads: int,
    memory: int,
    seed: int,
    progress: Progress,
) -> Dict[str, Any]:
    from_kind = _kind(of or kind_of_path(source))
    to_kind = from_kind if target is None else _kind(to or kind_of_path(target))
    usual = len(DIALECTS)
    found = _kanzen.shogi_file(
        _FILES[what],
        os.fsencode(source),
        from_kind.number,
        _dialect(dialect, usual),
        b"" if target is None else os.fsencode(target),
        to_kind.number,
        _dialect(to_dialect, usual),
        replace,
        skip_bad,
        threads,
        memory,
        seed,
        reporter(progress),
    )
    return dict(found)


def convert_file(
    source: Path,
    target: Path,
    *,
    of: Optional[str] = None,
    to: Optional[str] = None,
    dialect: Optional[str] = None,
    to_dialect: Optional[str] = None,
    replace: bool = False,
    skip_bad: bool = False,
    threads: int = 0,
    progress: Progress = None,
) -> Dict[str, Any]:
    """Writes the records of a file in another form. Kinds come from the names of the files, or from ``of`` and ``to``.

    Texts and game files (sfen, plain, usi, csa, kif, hcpe3) can be read as well. Memory does not grow with the files. Returns
    what was read and written, and how many records were bad.
    """
    return _file("convert", source, target, of, to, dialect, to_dialect, replace, skip_bad, threads, 0, 0, progress)


def dedupe_file(
    source: Path,
    target: Path,
    *,
    of: Optional[str] = None,
    replace: bool = False,
    memory: int = 0,
    threads: int = 0,
    progress: Progress = None,
) -> Dict[str, Any]:
    """Copies a file without the records whose position was there before, in bounded memory."""
    return _file("dedupe", source, target, of, of, None, None, replace, False, threads, memory, 0, progress)


def shuffle_file(
    source: Path,
    target: Path,
    *,
    seed: int = 0,
    of: Optional[str] = None,
    replace: bool = False,
    memory: int = 0,
    threads: int = 0,
    progress: Progress = None,
) -> Dict[str, Any]:
    """Copies a file in an order that depends on the seed only, in bounded memory."""
    return _file("shuffle", source, target, of, of, None, None, replace, False, threads, memory, seed, progress)


def check_file(
    source: Path, *, of: Optional[str] = None, dialect: Optional[str] = None, threads: int = 0, progress: Progress = None
) -> Dict[str, Any]:
    """Looks at every record of a file: how many are bad, by their defects, and how many positions are not legal."""
    return _file("check", source, None, of, None, dialect, None, False, False, threads, 0, 0, progress)
