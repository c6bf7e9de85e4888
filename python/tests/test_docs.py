# SPDX-License-Identifier: MIT
"""The tour and the docstrings say what happens."""

import doctest
import os
import re

import pytest

import kanzen
from kanzen import _dataset, _files, _games, _records, _tables, shogi


@pytest.mark.parametrize("module", [kanzen, _games, _tables, _records, _files, _dataset])
def test_docstrings(module):
    result = doctest.testmod(module)
    assert result.failed == 0


def test_tour(source, tmp_path, monkeypatch, mini_path, dobutsu):
    """All code of docs/python.md, in its order, in an empty folder with the tables that it names."""
    monkeypatch.chdir(tmp_path)
    tables_folder = tmp_path / "tables"
    tables_folder.mkdir()
    os.symlink(dobutsu.path, tables_folder / "dobutsu-official.kzt")
    monkeypatch.setenv("KANZEN_TABLES", str(tables_folder))
    text = (source / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) >= 8
    names = {}
    failed = 0
    for number, block in enumerate(blocks):
        # One dict for all blocks: the runner clears its copy of it.
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number + 1}", "docs/python.md", 0)
        assert test.examples, f"block {number + 1} has no example"
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        runner.run(test, clear_globs=False)
        names = test.globs
        failed += runner.failures
    assert failed == 0


def test_everything_public_is_described():
    for module in (kanzen, shogi):
        for name in module.__all__:
            one = getattr(module, name)
            if callable(one):
                assert one.__doc__, f"{module.__name__}.{name}"
