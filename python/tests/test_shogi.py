# SPDX-License-Identifier: MIT
"""Shogi: dtypes and records of other programs, the command, and plain counting."""

import os
import pickle
import subprocess

import numpy as np
import pytest

import kanzen
from kanzen import shogi


def vectors(source):
    """(sfen, psfen, hcp) as YaneuraOu and cshogi write them."""
    found, one = [], {}
    for line in (source / "shogi/tests/data/huffman.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word in ("sfen", "psfen", "hcp"):
            one[word] = rest
            if word == "hcp":
                found.append((one["sfen"], bytes.fromhex(one["psfen"]), bytes.fromhex(one["hcp"])))
    assert len(found) > 10
    return found


def games(source):
    """(sfen, move, score, result) of played positions."""
    lines = (source / "shogi/tests/data/games_all.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize(
    "name, size, members",
    [
        # Offsets as cshogi and dlshogi have them.
        ("HuffmanCodedPos", 32, {"hcp": 0}),
        ("HuffmanCodedPosAndEval", 38, {"hcp": 0, "eval": 32, "bestMove16": 34, "gameResult": 36, "dummy": 37}),
        ("HuffmanCodedPosAndEval2", 38, {"hcp": 0, "eval": 32, "bestMove16": 34, "result": 36, "dummy": 37}),
        ("HuffmanCodedPosAndEval3", 36, {"hcp": 0, "moveNum": 32, "result": 34, "opponent": 35}),
        ("MoveInfo", 6, {"selectedMove16": 0, "eval": 2, "candidateNum": 4}),
        ("MoveVisits", 4, {"move16": 0, "visitNum": 2}),
        ("PackedSfen", 32, {"sfen": 0}),
        ("PackedSfenValue", 40, {"sfen": 0, "score": 32, "move": 34, "gamePly": 36, "game_result": 38, "padding": 39}),
    ],
)
def test_dtypes(name, size, members):
    dtype = getattr(shogi, name)
    assert dtype.itemsize == size and list(dtype.names) == list(members)
    assert {member: dtype.fields[member][1] for member in members} == members


def test_records_of_others(source):
    sfens, psfen, hcp = zip(*vectors(source))
    for kind, records in (("psfen", psfen), ("hcp", hcp)):
        packed = shogi.pack(sfens, kind)
        assert [row.tobytes() for row in packed] == list(records)
        unpacked = shogi.unpack(b"".join(records), kind)
        # Hands may be in another order in the texts.
        in_order = [" ".join("".join(sorted(word)) for word in sfen.split()[1:3]) for sfen in sfens]
        texts = shogi.sfens(unpacked.positions)
        assert [text.split()[0] for text in texts] == [sfen.split()[0] for sfen in sfens]
        assert [" ".join("".join(sorted(word)) for word in text.split()[1:3]) for text in texts] == in_order
    for line in (source / "shogi/tests/data/sspf_vectors.txt").read_text().splitlines():
        if line.startswith(("sspf ", "sspfx ")):
            kind, record, sfen = line.split(" ", 2)
            assert shogi.pack(sfen, kind).tobytes().hex() == record


def test_head_of_hcpe3(source):
    """dlshogi's file of games, read with its dtypes alone."""
    data = (source / "shogi/tests/data/games_all.hcpe3").read_bytes()
    rows = games(source)
    at = row = 0
    while at < len(data):
        head = np.frombuffer(data, shogi.HuffmanCodedPosAndEval3, 1, at)[0]
        at += 36
        sfen = shogi.sfens(shogi.unpack(head["hcp"], "hcp").positions)[0]
        for number in range(head["moveNum"]):
            info = np.frombuffer(data, shogi.MoveInfo, 1, at)[0]
            at += 6 + 4 * int(info["candidateNum"])
            expected, move, score = rows[row][:3]
            assert sfen.split()[:3] == expected.split()[:3]
            assert shogi.move_to_usi(info["selectedMove16"]) == move
            sfen = shogi.play(sfen, move)
            row += 1
    assert at == len(data) and row == len(rows)


def test_boards():
    boards, hands, sides = shogi.unpack(shogi.pack(["startpos", "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1"]))
    assert boards.shape == (2, 81) and boards.dtype == np.uint8 and hands.shape == (2, 2, 7) and list(sides) == [0, 1]
    pieces = shogi.cshogi_pieces(boards)
    # Down the files from the right: cshogi's board of the start.
    first = [18, 0, 17, 0, 0, 0, 1, 0, 2, 19, 21, 17, 0, 0, 0, 1, 6, 3, 20, 0, 17, 0, 0, 0, 1, 0, 4]
    assert list(pieces[0][:27]) == first
    assert sorted(pieces[0][pieces[0] > 0]) == sorted(
        list(range(1, 9)) + [1] * 8 + [2, 3, 4, 7] + [16 + p for p in list(range(1, 9)) + [1] * 8 + [2, 3, 4, 7]]
    )
    assert list(hands[1][0]) == list(shogi.BOX) and not hands[1][1].any() and not hands[0].any()
    promoted = shogi.cshogi_pieces(shogi.parse("4k4/9/+p+l+n+s+b+r3/9/9/+P+L+N+S+B+R3/9/9/4K4 b - 1")["board"])
    assert [int(promoted[0][(9 - i - 1) * 9 + 2]) for i in range(6)] == [25, 26, 27, 28, 29, 30]
    assert [int(promoted[0][(9 - i - 1) * 9 + 5]) for i in range(6)] == [9, 10, 11, 12, 13, 14]


def test_views():
    records = np.zeros(5, shogi.HuffmanCodedPosAndEval)
    records["hcp"] = shogi.pack(["startpos", shogi.play("startpos", "7g7f")] * 2 + ["startpos"])["hcp"]
    whole = shogi.unpack(records)
    for view in whole:
        assert view.base is whole.positions
    for same in (records["hcp"], records[::-1][::-1], np.ascontiguousarray(records["hcp"])):
        assert (shogi.unpack(same, "hcp" if same.dtype == np.uint8 else None).positions == whole.positions).all()
    assert (shogi.unpack(records[::2]).positions == whole.positions[::2]).all()
    assert (shogi.unpack(records[::-1]).positions == whole.positions[::-1]).all()
    assert (shogi.unpack(records[0]).positions == whole.positions[:1]).all()
    out = np.empty(5, shogi.Position)
    assert shogi.unpack(records, out=out).positions is out and (out == whole.positions).all()
    # dlshogi's own definition has the move unsigned.
    other = np.dtype([("hcp", "u1", 32), ("eval", "<i2"), ("bestMove16", "<u2"), ("gameResult", "u1"), ("dummy", "u1")])
    assert (shogi.unpack(records.view(other)).positions == whole.positions).all()
    assert len(shogi.unpack(records[:0]).boards) == 0 and shogi.unpack(b"", "psv").boards.shape == (0, 81)


def test_moves(source):
    # Published numbers of legal moves: of the start, and of the position that has most of all.
    assert len(shogi.legal_moves("startpos")) == 30
    assert len(shogi.legal_moves("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")) == 593
    rows = games(source)
    sfens = [row[0] for row in rows]
    moves, offsets = shogi.legal_moves(sfens, threads=2)
    assert offsets[0] == 0 and offsets[-1] == len(moves) and len(offsets) == len(rows) + 1
    for number, (sfen, move, *_) in enumerate(rows[:100]):
        here = [shogi.move_to_usi(m) for m in moves[offsets[number] : offsets[number + 1]]]
        assert here == shogi.legal_moves(sfen) and move in here
    # A drop in the three dialects, by their definitions: to 5e is 40; a pawn is type 1.
    assert shogi.move_from_usi("P*5e", "apery") == 40 | 81 << 7
    assert shogi.move_from_usi("P*5e", "drops82") == 40 | 82 << 7
    assert shogi.move_from_usi("P*5e", "yaneuraou") == 40 | 1 << 7 | 1 << 14
    assert shogi.move_from_usi("8h2b+") == 10 | 70 << 7 | 1 << 14
    with pytest.raises(kanzen.InputError):
        shogi.play("startpos", "7g7e")
    with pytest.raises(kanzen.InputError):
        shogi.move_to_usi(0xFFFF)
    with pytest.raises(ValueError, match="dialect"):
        shogi.move_to_usi(1, "latin")


def test_convert(source, tmp_path):
    """In memory as in files, and both as the command does it; the numbers as they were written down."""
    plain = tmp_path / "games.hcpe"
    report = shogi.convert_file(source / "shogi/tests/data/games_all.csa", plain, of="csa")
    rows = games(source)
    records = np.fromfile(plain, shogi.HuffmanCodedPosAndEval)
    assert report["read"] == report["written"] == len(records) == len(rows)
    psv = shogi.convert(records, "psv", threads=2)
    assert psv.dtype == shogi.PackedSfenValue
    command = [os.environ["KANZEN"], "convert", "shogi", plain, tmp_path / "own.psv"]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "own.psv").read_bytes() == psv.tobytes()
    for number, (sfen, move, score, result, *_) in enumerate(rows):
        assert shogi.move_to_usi(psv["move"][number], "yaneuraou") == move
        assert psv["score"][number] == int(score) and psv["game_result"][number] == int(result)
    assert (shogi.convert(psv, shogi.HuffmanCodedPosAndEval) == records).all()
    # Every kind is told from the others by its dtype, whatever NumPy did with the array.
    for kind in ("sspf", "sspfx", "sspfc"):
        some = np.concatenate([shogi.convert(psv[:5], kind), shogi.convert(psv[5:9], kind)])
        assert shogi.convert(some, "psfen").tobytes() == shogi.convert(psv[:9], "psfen").tobytes()
    # sspfc holds all positions, handicaps too.
    for there, back in (("sspfc", "psfen"), ("sspfc", "hcp")):
        assert shogi.convert(shogi.convert(psv, there), back).tobytes() == shogi.convert(psv, back).tobytes()
    with pytest.raises(kanzen.FileError):
        shogi.convert_file(plain, tmp_path / "own.psv")  # it is there already
    bad = psv.copy()
    bad["sfen"][7] = 255
    with pytest.raises(kanzen.InputError, match="number 7"):
        shogi.convert(bad, "hcpe")
    bad = psv.copy()
    bad["move"][9] = 0xFFFF
    with pytest.raises(kanzen.InputError, match="number 9"):
        shogi.convert(bad, "hcpe")


def test_dedupe(source, tmp_path):
    rows = games(source)
    rows = rows[:60] + rows[20:30] + rows[60:] + rows[:1]
    psv = shogi.pack([row[0] for row in rows], "psv")
    psv["score"] = np.arange(len(psv))
    # By a plain set of texts.
    seen, keep = set(), []
    for row in rows:
        text = " ".join(row[0].split()[:3])
        keep.append(text not in seen)
        seen.add(text)
    assert not all(keep)
    assert list(shogi.is_first(psv)) == keep
    assert (shogi.dedupe(psv) == psv[np.array(keep)]).all()
    psv.tofile(tmp_path / "all.psv")
    report = shogi.dedupe_file(tmp_path / "all.psv", tmp_path / "unique.psv", memory=64 << 20)
    assert (np.fromfile(tmp_path / "unique.psv", shogi.PackedSfenValue) == psv[np.array(keep)]).all()
    assert report["repeated"] == keep.count(False)
    shogi.shuffle_file(tmp_path / "all.psv", tmp_path / "shuffled.psv", seed=3, memory=64 << 20)
    shuffled = np.fromfile(tmp_path / "shuffled.psv", shogi.PackedSfenValue)
    assert sorted(shuffled["score"]) == list(range(len(psv))) and (shuffled != psv).any()
    checked = shogi.check_file(tmp_path / "all.psv")
    assert checked["read"] == len(psv) and checked["bad"] == 0
    with pytest.raises(kanzen.FileError):
        shogi.check_file(tmp_path / "none.psv")
    with pytest.raises(ValueError, match="no record called 'xyz'"):
        shogi.check_file(tmp_path / "none.xyz")


def test_errors():
    with pytest.raises(kanzen.InputError, match="number 1: character"):
        shogi.parse(["startpos", "lnsgkgsnl/9 b - 1"])
    with pytest.raises(kanzen.InputError, match="number 1: .*king"):
        shogi.pack(["startpos", "9/9/9/9/9/9/9/9/4K4 b - 1"], "hcp")
    for bad, of in ((np.zeros((3, 31), np.uint8), "hcp"), (np.zeros(3), "hcp"), (np.zeros((2, 32), np.uint8), None), (b"x", None)):
        with pytest.raises(TypeError):
            shogi.unpack(bad, of)
    with pytest.raises(ValueError):
        shogi.unpack(b"x" * 33, "hcp")
    with pytest.raises(ValueError, match="no records called"):
        shogi.pack("startpos", "xyz")
    with pytest.raises(TypeError):
        shogi.pack("startpos", np.dtype([("a", "u1", 32)]))
    with pytest.raises(TypeError):
        shogi.unpack(shogi.pack("startpos"), out=np.empty(2, shogi.Position))
    with pytest.raises(kanzen.InputError, match="number 2"):
        shogi.unpack(np.vstack([shogi.pack(["startpos"] * 2)["hcp"], np.full((1, 32), 255, np.uint8)]), "hcp")
    broken = shogi.parse(["startpos"] * 3)
    broken["board"][2][0] = 7
    for call in (lambda: shogi.pack(broken), lambda: shogi.legal_moves(broken)):
        with pytest.raises(kanzen.InputError, match="number 2"):
            call()


def test_dataset(source, tmp_path):
    rows = games(source)
    psv = shogi.pack([row[0] for row in rows], "psv")
    psv["score"] = np.arange(len(psv))
    psv["game_result"] = [int(row[3]) for row in rows]
    psv[:100].tofile(tmp_path / "a.psv")
    psv[100:100].tofile(tmp_path / "b.psv")
    psv[100:].tofile(tmp_path / "c.psv")
    dataset = shogi.Dataset([tmp_path / name for name in ("a.psv", "b.psv", "c.psv")])
    assert len(dataset) == len(psv)
    assert (dataset.records(slice(90, 110)) == psv[90:110]).all()
    assert (dataset.records(slice(None)) == psv).all() and (dataset.records([5, -1, 100]) == psv[[5, -1, 100]]).all()
    assert isinstance(dataset.records(slice(3, 9)), np.memmap)
    one = dataset[7]
    assert one["score"] == 7 and one["board"].shape == (81,) and one["hand"].shape == (2, 7)
    hcpe = shogi.convert(psv, "hcpe")
    hcpe.tofile(tmp_path / "d.hcpe")
    assert list(shogi.Dataset(tmp_path / "d.hcpe")[np.arange(len(psv))]["result"]) == list(psv["game_result"])
    # Every record once, in an order that the seed decides, however many workers share it.
    def scores(**wish):
        return [list(batch["score"]) for batch in dataset.batches(32, **wish)]

    first = scores(seed=1)
    assert sorted(sum(first, [])) == list(range(len(psv))) and first == scores(seed=1) != scores(seed=2)
    assert sum(scores(seed=None), []) == list(range(len(psv)))
    shared = [scores(seed=1, worker=w, workers=3) for w in range(3)]
    assert sorted(map(str, sum(shared, []))) == sorted(map(str, first))
    assert all(len(batch) == 32 for batch in scores(drop_last=True)) and len(dataset.order(32)) == -(-len(psv) // 32)
    assert sum(first, [])[:32] != list(range(32))
    copy = pickle.loads(pickle.dumps(dataset))
    assert (copy.records(slice(None)) == psv).all()
    with pytest.raises(IndexError):
        dataset[len(psv)]
    with pytest.raises(ValueError):
        list(dataset.batches(0))
    with pytest.raises(ValueError):
        shogi.Dataset([])
    (tmp_path / "e.psv").write_bytes(b"x" * 41)
    with pytest.raises(ValueError, match="e.psv: 41 bytes"):
        shogi.Dataset(tmp_path / "e.psv")
    # 760 bytes are whole numbers of records of both kinds; packed files are of no kind.
    psv[:19].tofile(tmp_path / "f.psv")
    hcpe[:20].tofile(tmp_path / "f.hcpe")
    with pytest.raises(ValueError, match="one kind, and these differ: .*f.psv .psv., .*f.hcpe .hcpe."):
        shogi.Dataset([tmp_path / "f.hcpe", tmp_path / "f.psv"])
    assert len(shogi.Dataset([tmp_path / "f.hcpe", tmp_path / "f.psv"], of="psv")) == 38
    for ending in ("gz", "zst", "GZ"):
        psv[:19].tofile(tmp_path / f"g.psv.{ending}")
        with pytest.raises(ValueError, match="g.psv.*: packed files can't be mapped"):
            shogi.Dataset([tmp_path / "a.psv", tmp_path / f"g.psv.{ending}"])
    with pytest.raises(kanzen.InputError, match="packed files .* are read, not written"):
        shogi.convert_file(tmp_path / "a.psv", tmp_path / "h.psv.zst")
    assert not (tmp_path / "h.psv.zst").exists()


@pytest.mark.parametrize("count", [1, 2, 3, 5, 64, 1000, 4097])
def test_order_is_a_permutation(count):
    from kanzen._dataset import Order

    for seed in (0, 1):
        order = Order(count, 97, seed, False, 0, 1)
        assert sorted(np.concatenate(list(order))) == list(range(count))


def test_torch(source, tmp_path):
    """With PyTorch's DataLoader itself, where it is installed; workers and all."""
    data = pytest.importorskip("torch.utils.data")
    rows = games(source)
    psv = shogi.pack([row[0] for row in rows], "psv")
    psv["score"] = np.arange(len(psv))
    psv.tofile(tmp_path / "a.psv")
    dataset = shogi.Dataset(tmp_path / "a.psv")
    loader = data.DataLoader(dataset, sampler=dataset.order(32, seed=1), batch_size=None, num_workers=2)
    batches = [batch for batch in loader]
    assert batches[0]["board"].shape == (32, 81)
    assert sorted(int(s) for batch in batches for s in batch["score"]) == list(range(len(psv)))
    single = next(iter(data.DataLoader(dataset, batch_size=8)))
    assert list(map(int, single["score"])) == list(range(8)) and single["hand"].shape == (8, 2, 7)
