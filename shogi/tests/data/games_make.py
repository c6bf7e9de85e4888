#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Makes the games_* files beside it: three games of random moves, written as CSA, KIF, KI2, hcpe3, pack and
# nshogi's records, and as the positions that a reader has to find in them. Nothing here comes from Kanzen, so that the two can be compared. It writes to the
# folder in which it is run.
import random
import re
import struct

CSA = dict(zip(["P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R"],
               "FU KY KE GI KI KA HI OU TO NY NK NG UM RY".split()))
KIF = dict(zip(CSA, "歩 香 桂 銀 金 角 飛 玉 と 成香 成桂 成銀 馬 龍".split()))
KIF_DIAGRAM = {**KIF, "+L": "杏", "+N": "圭", "+S": "全"}
WIDE, RANKS = " １２３４５６７８９", " 一二三四五六七八九"
GOLD = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]
DIAGONAL, STRAIGHT = [(1, -1), (-1, -1), (1, 1), (-1, 1)], [(0, -1), (1, 0), (-1, 0), (0, 1)]
STEPS = {"P": [(0, -1)], "N": [(1, -2), (-1, -2)], "S": [(0, -1)] + DIAGONAL, "G": GOLD, "+P": GOLD, "+L": GOLD,
         "+N": GOLD, "+S": GOLD, "K": DIAGONAL + STRAIGHT, "+B": STRAIGHT, "+R": DIAGONAL}
SLIDES = {"L": [(0, -1)], "B": DIAGONAL, "R": STRAIGHT, "+B": DIAGONAL, "+R": STRAIGHT}


class Position:
    """board: {(file, rank): (piece, side)}, side 0 is black; hands: [{letter: count}, ...]."""

    def __init__(self, sfen):
        ranks, side, hands = sfen.split()[:3]
        self.board, self.hands, self.side = {}, [{}, {}], "bw".index(side)
        for rank, text in enumerate(ranks.split("/"), 1):
            file, plus = 9, ""
            for c in text:
                if c == "+":
                    plus = "+"
                elif c.isdigit():
                    file -= int(c)
                else:
                    self.board[file, rank] = (plus + c.upper(), int(c.islower()))
                    file, plus = file - 1, ""
        count = ""
        for c in hands.replace("-", ""):
            if c.isdigit():
                count += c
            else:
                self.hands[c.islower()][c.upper()] = int(count or 1)
                count = ""

    def sfen(self, ply):
        rows = []
        for rank in range(1, 10):
            row = ""
            for file in range(9, 0, -1):
                if (file, rank) in self.board:
                    piece, side = self.board[file, rank]
                    row += piece.lower() if side else piece
                else:
                    row += "."
            rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        hands = ""
        for side in (0, 1):
            for c in "RBGSNLP":
                n = self.hands[side].get(c, 0)
                if n:
                    hands += (str(n) if n > 1 else "") + (c.lower() if side else c)
        return f"{'/'.join(rows)} {'bw'[self.side]} {hands or '-'} {ply}"

    def reach(self, square):
        piece, side = self.board[square]
        sign = -1 if side else 1
        for dx, dy in STEPS.get(piece, []):
            yield square[0] + dx, square[1] + dy * sign
        for dx, dy in SLIDES.get(piece, []):
            x, y = square[0] + dx, square[1] + dy * sign
            while 1 <= x <= 9 and 1 <= y <= 9:
                yield x, y
                if (x, y) in self.board:
                    break
                x, y = x + dx, y + dy * sign

    def in_check(self, side):
        king = next(s for s, p in self.board.items() if p == ("K", side))
        return any(king in self.reach(s) for s, p in self.board.items() if p[1] != side)

    def moves(self):
        """(from or letter, to, promotes); mates by a dropped pawn are not left out."""
        me = self.side

        def depth(rank):
            return 10 - rank if me else rank

        def dead(piece, rank):
            return depth(rank) <= {"P": 1, "L": 1, "N": 2}.get(piece, 0)

        for square, (piece, side) in list(self.board.items()):
            if side != me:
                continue
            for to in self.reach(square):
                if not (1 <= to[0] <= 9 and 1 <= to[1] <= 9) or self.board.get(to, ("", 1 - me))[1] == me:
                    continue
                if piece in "PLNSBR" and min(depth(square[1]), depth(to[1])) <= 3:
                    yield square, to, True
                if not dead(piece, to[1]):
                    yield square, to, False
        for letter, count in self.hands[me].items():
            for to in ((x, y) for x in range(1, 10) for y in range(1, 10)):
                if count and to not in self.board and not dead(letter, to[1]):
                    if letter != "P" or all(self.board.get((to[0], y)) != ("P", me) for y in range(1, 10)):
                        yield letter, to, False

    def after(self, move):
        origin, to, promotes = move
        next_ = Position("9/9/9/9/9/9/9/9/9 b - 1")
        next_.board, next_.hands = dict(self.board), [dict(h) for h in self.hands]
        me, next_.side = self.side, 1 - self.side
        if isinstance(origin, str):
            next_.hands[me][origin] -= 1
            next_.board[to] = (origin, me)
        else:
            if to in self.board:
                taken = self.board[to][0][-1]
                next_.hands[me][taken] = next_.hands[me].get(taken, 0) + 1
            piece = next_.board.pop(origin)[0]
            next_.board[to] = ("+" + piece if promotes else piece, me)
        return next_


def play(sfen, plies, seed):
    """Random legal moves, captures and promotions preferred: a list of (position, move), and the last position."""
    rng, position, line = random.Random(seed), Position(sfen), []
    for _ in range(plies):
        moves = [m for m in position.moves() if not position.after(m).in_check(position.side)]
        if not moves:
            break
        lively = [m for m in moves if m[1] in position.board or m[2]]
        move = rng.choice(lively if lively and rng.random() < 0.3 else moves)
        line.append((position, move))
        position = position.after(move)
    return line, position


def usi(move):
    def name(square):
        return f"{square[0]}{' abcdefghi'[square[1]]}"
    origin, to, promotes = move
    return (origin + "*" if isinstance(origin, str) else name(origin)) + name(to) + "+" * promotes


def csa_move(position, move):
    origin, to, promotes = move
    drop = isinstance(origin, str)
    piece = origin if drop else "+" * promotes + position.board[origin][0]
    return "+-"[position.side] + ("00" if drop else "%d%d" % origin) + "%d%d" % to + CSA[piece]


def csa_position(position):
    lines = []
    for rank in range(1, 10):
        cells = [position.board.get((file, rank)) for file in range(9, 0, -1)]
        lines.append(f"P{rank}" + "".join("+-"[c[1]] + CSA[c[0]] if c else " * " for c in cells))
    for side in (0, 1):
        hand = "".join(("00" + CSA[c]) * n for c, n in position.hands[side].items())
        if hand:
            lines.append("P" + "+-"[side] + hand)
    return lines


def kif_move(position, move, before):
    origin, to, promotes = move
    drop = isinstance(origin, str)
    place = "同　" if to == before else WIDE[to[0]] + RANKS[to[1]]
    piece = KIF[origin if drop else position.board[origin][0]]
    return place + piece + ("打" if drop else "成" * promotes + "(%d%d)" % origin)


def kif_number(n):
    return "" if n == 1 else ("十" if n >= 10 else "") + RANKS[n % 10].strip()


def kif_diagram(position):
    def hand(side):
        return "　".join(KIF[c] + kif_number(n) for c, n in position.hands[side].items() if n) or "なし"
    lines = [f"後手の持駒：{hand(1)}", "  ９ ８ ７ ６ ５ ４ ３ ２ １", "+---------------------------+"]
    for rank in range(1, 10):
        cells = [position.board.get((file, rank)) for file in range(9, 0, -1)]
        lines.append("|" + "".join(" v"[c[1]] + KIF_DIAGRAM[c[0]] if c else " ・" for c in cells) + "|" + RANKS[rank])
    lines += ["+---------------------------+", f"先手の持駒：{hand(0)}"]
    return lines + ["後手番"] * position.side


def kif_moves(line, end):
    lines, before = ["手数----指手---------消費時間--"], None
    for number, (position, move) in enumerate(line, 1):
        seconds = number % 60
        text = kif_move(position, move, before)
        lines.append("%4d %s   ( 0:%02d/00:00:%02d)" % (number, text, seconds, seconds))
        before = move[1]
        if number % 10 == 0:
            lines.append("*a comment、感想")
    return lines + ["%4d %s" % (len(line) + 1, end)]


HCP_BOARD = {"P": "10", "L": "1100", "N": "1110", "S": "1101", "G": "11110", "B": "111110", "R": "111111"}
HCP_HAND = {"P": "00", "L": "1000", "N": "1100", "S": "1010", "G": "1110", "B": "111110", "R": "111111"}
HCP_BOX = {"P": "010", "L": "10010", "N": "11010", "S": "10110", "G": "10111", "B": "1111000", "R": "1111010"}
FULL = dict(zip("PLNSGBR", (18, 4, 4, 4, 4, 2, 2)))


def number_of(square):
    return (square[0] - 1) * 9 + square[1] - 1


def hcp(position):
    bits = str(position.side)
    for side in (0, 1):
        king = next(s for s, p in position.board.items() if p == ("K", side))
        bits += format(number_of(king), "07b")[::-1]
    left = dict(FULL)
    for square in ((x, y) for x in range(1, 10) for y in range(1, 10)):
        piece, side = position.board.get(square, ("", 0))
        if not piece:
            bits += "0"
        elif piece != "K":
            left[piece[-1]] -= 1
            bits += HCP_BOARD[piece[-1]] + str(side) + ("" if piece == "G" else str(len(piece) - 1))
    for side in (0, 1):
        for c in FULL:
            n = position.hands[side].get(c, 0)
            left[c] -= n
            bits += (HCP_HAND[c] + str(side)) * n
    for c in FULL:
        bits += HCP_BOX[c] * left[c]
    assert len(bits) == 256
    return int(bits[::-1], 2).to_bytes(32, "little")


def apery(move):
    origin, to, promotes = move
    start = 81 + "PLNSBRG".index(origin) if isinstance(origin, str) else number_of(origin)
    return number_of(to) | start << 7 | promotes << 14


def hcpe3(line, scores, result):
    data = hcp(line[0][0]) + struct.pack("<HBB", len(line), result, 0)
    for number, ((_, move), score) in enumerate(zip(line, scores)):
        data += struct.pack("<HhH", apery(move), score, number % 4)
        data += struct.pack("<HH", 0xFFFF, number) * (number % 4)
    return data


def ki2_move(position, move, before):
    """Words as the Shogi Association has them: direction first, then right or left, then both."""
    origin, to, promotes = move
    place = "同　" if to == before else WIDE[to[0]] + RANKS[to[1]]
    drop = isinstance(origin, str)
    piece = origin if drop else position.board[origin][0]
    side = position.side
    others = {m[0] for m in position.moves()
              if m[1] == to and not isinstance(m[0], str) and position.board[m[0]][0] == piece}
    text = "▲△"[side] + place + KIF[piece]
    if drop:
        return text + "打" * bool(others)

    def direction(square):
        back = (square[1] - to[1]) * (1, -1)[side]
        return "上" if back > 0 else "引" if back < 0 else "寄"

    def left(square):
        return (square[0] - to[0]) * (1, -1)[side]

    words = ""
    if len(others) > 1:
        same = [s for s in others if direction(s) == direction(origin)]
        large = piece[-1] in "BR"
        if len(same) == 1:
            words = direction(origin)
        elif large:
            words = "右" if left(origin) == min(map(left, others)) else "左"
        elif left(origin) == 0 and direction(origin) == "上":
            words = "直"
        else:
            words = "左" if left(origin) > 0 else "右"
            if sum(left(s) * left(origin) > 0 for s in others) > 1:
                words += direction(origin)
    can_promote = any(m == (origin, to, True) for m in position.moves())
    return text + words + ("成" if promotes else "不成" * can_promote)


def ki2_moves(line):
    lines, before = [], None
    for number, (position, move) in enumerate(line):
        if number % 6 == 0:
            lines.append("")
        lines[-1] += ki2_move(position, move, before) + "    "
        before = move[1]
    return lines


def pack(line, scores, winner):
    first = line[0][0]
    data = b"\1" if first.sfen(1) == START else b"\0" + hcp(first) + struct.pack("<H", 1)
    for (_, move), score in zip(line, scores):
        data += struct.pack("<Hh", apery(move), score)
    return data + struct.pack("<HB", winner | winner << 7, 0)


NSHOGI_BOARD = {"P": "00", "L": "0100", "N": "0101", "S": "0110", "G": "01111", "B": "011100", "R": "011101"}
NSHOGI_HAND = {"P": "00", "L": "1000", "N": "1010", "S": "1100", "B": "111100", "R": "111110", "G": "1110"}


def nshogi_number(square):
    return (square[0] - 1) * 9 + 9 - square[1]


def nshogi(line, winner):
    data = b""
    for number, (position, (origin, to, promotes)) in enumerate(line, 1):
        bits = ""
        for side in (0, 1):
            king = next(s for s, p in position.board.items() if p == ("K", side))
            bits += format(nshogi_number(king), "07b")[::-1]
        for square in ((x, y) for x in range(1, 10) for y in range(9, 0, -1)):
            piece, side = position.board.get(square, ("", 0))
            if not piece:
                bits += "1"
            elif piece != "K":
                bits += NSHOGI_BOARD[piece[-1]] + ("" if piece == "G" else str(len(piece) - 1)) + str(side)
        bits += str(position.side)
        for side in (0, 1):
            for c in NSHOGI_HAND:
                bits += (NSHOGI_HAND[c] + str(side)) * position.hands[side].get(c, 0)
        assert len(bits) == 256
        start = 81 + "PLNSBRG".index(origin) if isinstance(origin, str) else nshogi_number(origin)
        data += int(bits[::-1], 2).to_bytes(32, "little")
        data += struct.pack("<HHffHB", number, 320, 0.5, 0.5, nshogi_number(to) | start << 7 | promotes << 14,
                            (2, 0, 1)[winner])
    return data


def expected(line, scores, winner, ending):
    """SFEN, move, score, result, ending: what the side to move sees."""
    rows = []
    for number, ((position, move), score) in enumerate(zip(line, scores), 1):
        result = 0 if winner == 0 else 1 if winner == position.side + 1 else -1
        rows.append(f"{position.sfen(number)}\t{usi(move)}\t{score}\t{result}\t{ending}")
    return rows


START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
SIX = "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


def main():
    rng = random.Random(32)
    even, end = play(START, 181, 1)
    six, _ = play(SIX, 60, 2)
    middle, last = play(end.sfen(1), 120, 3)
    # Game, how CSA and KIF say that it ended, the winner (1 black, 2 white) and the ending of hcpe3. It is the side to
    # move that resigns or declares.
    games = [(even, "%TORYO", "投了", 2 - end.side, 0), (six, "%SENNICHITE", "千日手", 0, 1),
             (middle, "%KACHI", "入玉勝ち", 1 + last.side, 2)]
    heads = [["PI"], ["PI82HI22KA11KY91KY81KE21KE"], csa_position(end)]
    csa, rows, binary, packed, teachers, ki2 = [], [], b"", b"", b"", []
    ki2_heads = [["手合割：平手", "先手：first", "後手：second"], ["手合割：六枚落ち"], ["開始日時：2000/01/01", *kif_diagram(end)]]
    ki2_games = []
    for (line, csa_end, _, winner, ending), head in zip(games, heads):
        scores = [rng.randint(-3000, 3000) for _ in line]
        csa += ["/"] * bool(csa) + ["V2.2", "N+first, player", "N-second", "$EVENT:random moves", "'a comment, too"]
        csa += head + ["+-"[line[0][0].side]]
        for (position, move), score in zip(line, scores):
            absolute = -score if position.side else score
            csa += [csa_move(position, move), "T3", f"'** {absolute} {csa_move(position, move)}"]
        csa += [csa_end, "T1"]
        rows += expected(line, scores, winner, ending)
        binary += hcpe3(line, scores, winner | ending << 2)
        packed += pack(line, scores, winner)
        ki2 += ki2_heads[len(ki2_games)] + [""] + ki2_moves(line)
        name = ["", "先手", "後手"][winner]
        ki2 += [["まで%d手で%sの勝ち" % (len(line), name), "まで60手で千日手",
                 "まで%d手で%sの入玉勝ち" % (len(line), name)][len(ki2_games)], ""]
        ki2_games.append(line)
        if line is not six:
            teachers += nshogi(line, winner)
    with open("games_all.csa", "w") as file:
        file.write("\n".join(csa) + "\n")
    with open("games_all.tsv", "w") as file:
        file.write("\n".join(rows) + "\n")
    with open("games_all.hcpe3", "wb") as file:
        file.write(binary)
    with open("games_all.pack", "wb") as file:
        file.write(packed)
    with open("games_all.nshogi", "wb") as file:
        file.write(teachers)
    with open("games_all.ki2", "w") as file:
        file.write("\n".join(ki2) + "\n")
    names = ["先手：first", "後手：second"]
    kifs = [["# ---- random moves", "手合割：平手　　", *names], ["手合割：六枚落ち", "下手：first", "上手：second"],
            ["開始日時：2000/01/01", *kif_diagram(end), *names]]
    for number, ((line, _, kif_end, _, _), head) in enumerate(zip(games, kifs), 1):
        text = "\n".join(head + kif_moves(line, kif_end) + ["", "変化：3手", "   3 ５八飛(28)"]) + "\n"
        # One plain, one in Shift_JIS with the line ends of Windows, one with a byte order mark.
        data = [text.encode(), text.replace("\n", "\r\n").encode("cp932"), text.encode("utf-8-sig")][number - 1]
        with open(f"games_{number}.kif", "wb") as file:
            file.write(data)


main()
