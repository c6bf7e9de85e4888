#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plain programs of small games, which share nothing with Kanzen. They compare all values of a CSV file that
`kanzen export` wrote with their own, and exit with 1 if one differs.

    plain_games.py connect4 WIDTH HEIGHT FILE
    plain_games.py three FILE
    plain_games.py kono WIDTH HEIGHT FILE
"""
import csv
import itertools
import sys
from functools import lru_cache


def rows_of(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield row["position"], row["value"], int(row["distance"] or 0)


# ---- Connect Four: columns as strings, from the bottom ---------------------------------------------------------------


def connect4(width, height, path):
    def four(columns, who):
        cells = {(x, y) for x, column in enumerate(columns) for y, disc in enumerate(column) if disc == who}
        return any(
            all((x + i * dx, y + i * dy) in cells for i in range(4))
            for x, y in cells
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    @lru_cache(maxsize=None)
    def value(columns):
        discs = sum(map(len, columns))
        mover, other = ("X", "O") if discs % 2 == 0 else ("O", "X")
        if four(columns, other):
            return "loss", 0
        if discs == width * height:
            return "draw", 0
        best = None
        for x in range(width):
            if len(columns[x]) < height:
                after = value(columns[:x] + (columns[x] + mover,) + columns[x + 1 :])
                if after[0] == "loss":
                    score = (2, -(after[1] + 1))
                elif after[0] == "draw":
                    score = (1, 0)
                else:
                    score = (0, after[1] + 1)
                best = score if best is None or score > best else best
        return {2: "win", 1: "draw", 0: "loss"}[best[0]], abs(best[1])

    def parse(text):
        rows = text.split("/")[::-1]
        return tuple("".join(row[x] for row in rows).rstrip(".") for x in range(width))

    reachable = {tuple([""] * width)}
    fresh = list(reachable)
    while fresh:
        columns = fresh.pop()
        if value(columns) in (("loss", 0),):
            continue
        mover = "XO"[sum(map(len, columns)) % 2]
        for x in range(width):
            if len(columns[x]) < height:
                after = columns[:x] + (columns[x] + mover,) + columns[x + 1 :]
                if after not in reachable:
                    reachable.add(after)
                    fresh.append(after)
    seen = set()
    wrong = 0
    for text, outcome, distance in rows_of(path):
        columns = parse(text)
        seen.add(columns)
        seen.add(columns[::-1])
        if value(columns) != (outcome, distance):
            wrong += 1
            print(f"{text}: {outcome} {distance}, not {value(columns)}")
    missing = sum(columns not in seen for columns in reachable)
    print(f"{len(seen)} boards compared, {len(reachable)} of them reachable, {missing} reachable ones missing")
    return wrong == 0 and missing == 0 and len(reachable) == {(4, 4): 161029}.get((width, height), len(reachable))


# ---- Three Men's Morris: nine cells in a string; values by going over all positions until nothing changes --------------


def three(path):
    lines = ["012", "345", "678", "036", "147", "258", "048", "246"]
    lines = [tuple(map(int, line)) for line in lines]
    near = {a: set() for a in range(9)}
    for a, b, c in lines:
        near[a].add(b)
        near[b] |= {a, c}
        near[c].add(b)

    def mill(board, who):
        return any(all(board[p] == who for p in line) for line in lines)

    def moves(state):
        board, side, left = state
        mover = "WB"[side]
        if mill(board, "WB"[1 - side]):
            return None
        after = []
        for to in range(9):
            if board[to] != ".":
                continue
            if left[side]:
                cells = list(board)
                cells[to] = mover
                rest = list(left)
                rest[side] -= 1
                after.append(("".join(cells), 1 - side, tuple(rest)))
                continue
            for origin in near[to]:
                if board[origin] == mover:
                    cells = list(board)
                    cells[to], cells[origin] = mover, "."
                    after.append(("".join(cells), 1 - side, left))
        return after

    def parse(text):
        board, side, white, black = text.split()
        return board.replace("/", ""), "wb".index(side), (int(white), int(black))

    wanted = list(rows_of(path))
    states = {("." * 9, 0, (3, 3))} | {parse(text) for text, _, _ in wanted}
    fresh = list(states)
    after = {}
    while fresh:
        state = fresh.pop()
        after[state] = moves(state)
        for one in after[state] or []:
            if one not in states:
                states.add(one)
                fresh.append(one)
    value = {state: ("loss", 0) for state in states if not after[state]}
    distance = 0
    while True:
        distance += 1
        found = {}
        for state in states:
            if state in value:
                continue
            values = [value.get(one) for one in after[state]]
            if ("loss", distance - 1) in values:
                found[state] = ("win", distance)
            elif all(v and v[0] == "win" for v in values):
                found[state] = ("loss", distance)
        value.update(found)
        if not found and distance > 100:
            break
    wrong = 0
    for text, outcome, plies in wanted:
        plain = value.get(parse(text), ("draw", 0))
        if plain != (outcome, plies):
            wrong += 1
            print(f"{text}: {outcome} {plies}, not {plain}")
    print(f"{len(wanted)} positions compared; the start is {value.get(('.' * 9, 0, (3, 3)), ('draw', 0))}")
    return wrong == 0 and len(wanted) == 499


# ---- Four Field Kono: a string, m for the men of the side to move, o for the others; from every end of a game backwards ----


def kono(width, height, path):
    swap = str.maketrans("mo", "om")
    lines = []  # a point, the next one and the one behind it, or None
    for x, y in itertools.product(range(width), range(height)):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            points = [(x + i * dx, y + i * dy) for i in range(3)]
            points = [px + width * py if 0 <= px < width and 0 <= py < height else None for px, py in points]
            if points[1] is not None:
                lines.append(points)

    def moves(state):
        for here, near, far in lines:
            if state[here] != "m":
                continue
            to = near if state[near] == "." else far
            if to is None or (to == far and (state[near] != "m" or state[far] != "o")):
                continue
            cells = list(state)
            cells[here], cells[to] = ".", "m"
            yield "".join(cells).translate(swap)

    men = width * height // 2
    before, left, value, fresh = {}, {}, {}, []
    for cells in itertools.product("mo.", repeat=width * height):
        state = "".join(cells)
        own, other = state.count("m"), state.count("o")
        if not (1 <= own <= men and 2 <= other <= men):
            continue
        after = set(moves(state)) if own > 1 else set()
        left[state] = len(after)
        for one in after:
            before.setdefault(one, []).append(state)
        if not after:
            value[state] = ("loss", 0)
            fresh.append(state)
    plies = 0
    while fresh:
        plies += 1
        found = []
        for state in fresh:
            for one in before.get(state, ()):
                if one in value:
                    continue
                if value[state][0] == "loss":
                    value[one] = ("win", plies)
                    found.append(one)
                else:
                    left[one] -= 1
                    if left[one] == 0:
                        value[one] = ("loss", plies)
                        found.append(one)
        fresh = found
    wrong = compared = 0
    for text, outcome, distance in rows_of(path):
        board, side = text.split()
        mover = side.upper()
        state = "".join("." if c == "." else "m" if c == mover else "o" for c in board.replace("/", ""))
        compared += 1
        if value.get(state, ("draw", 0)) != (outcome, distance):
            wrong += 1
            print(f"{text}: {outcome} {distance}, not {value.get(state)}")
    start = "o" * men + "m" * men
    print(f"{compared} positions compared; the start is {value.get(start, ('draw', 0))}")
    return wrong == 0 and compared > 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    if sys.argv[1] == "connect4":
        good = connect4(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    elif sys.argv[1] == "kono":
        good = kono(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        good = three(sys.argv[2])
    sys.exit(0 if good else 1)
