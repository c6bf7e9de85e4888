# SPDX-License-Identifier: MIT
"""What the tests share. $KANZEN is the command, which has to say the same; $KANZEN_SOURCE the root of the source."""

import json
import os
import pathlib
import subprocess

import pytest

import kanzen


@pytest.fixture(scope="session")
def source():
    return pathlib.Path(os.environ["KANZEN_SOURCE"])


@pytest.fixture(scope="session")
def command():
    """Runs the command with --json, and gives what it says; a list if it says several things."""

    def run(*args):
        done = subprocess.run([os.environ["KANZEN"], *args, "--json"], capture_output=True, text=True, check=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return lines[0] if len(lines) == 1 else lines

    return run


@pytest.fixture(scope="session")
def mini_path(tmp_path_factory):
    """Push Fight's smallest board, solved by the command."""
    path = tmp_path_factory.mktemp("tables") / "pushfight-mini.kzt"
    subprocess.run([os.environ["KANZEN"], "solve", "pushfight", "--board", "mini", "--out", path, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return path


@pytest.fixture
def mini(mini_path):
    with kanzen.open(mini_path) as table:
        yield table


@pytest.fixture
def dobutsu():
    """The table of Dobutsu Shogi, where the tests have one."""
    path = os.environ.get("DOBUTSU_TABLE", "")
    if not os.path.exists(path):
        pytest.skip("no table of Dobutsu Shogi")
    with kanzen.open(path) as table:
        yield table
