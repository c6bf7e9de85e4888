# SPDX-License-Identifier: MIT
"""Files of shogi records for training: mapped into memory, in shuffled batches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

from . import _records
from ._files import Path, kind_of_path

Batch = Dict[str, "NDArray[Any]"]


class Dataset:
    """The records of one or more files, as one sequence. The files are mapped, not read: any size will do.

    ``dataset[i]`` is a dict of arrays: ``board`` (81), ``hand`` (2, 7) and ``side``, and as far as the records have them
    ``score``, ``move`` (16 bits), ``ply`` and ``result`` (1 won, 0 drawn, -1 lost for the side to move). ``dataset[indices]``
    has one row for each index. So it is a map-style dataset for PyTorch's DataLoader, which needs nothing else:

        loader = DataLoader(dataset, sampler=dataset.order(1024, seed=epoch), batch_size=None, num_workers=2)

    Without PyTorch: ``for batch in dataset.batches(1024, seed=epoch)``.
    """

    def __init__(self, paths: Union[Path, Sequence[Path]], of: Optional[_records.Records] = None) -> None:
        if isinstance(paths, (str, os.PathLike)):
            paths = [paths]
        self.paths = [os.fspath(path) for path in paths]
        if not self.paths:
            raise ValueError("a dataset has one file at least")
        for path in self.paths:
            if path.lower().endswith((".zst", ".gz")):
                raise ValueError(f"{path}: packed files can't be mapped into memory; unpack it first")
        if of is None:
            kinds = {kind_of_path(path): path for path in reversed(self.paths)}
            if len(kinds) > 1:
                found = ", ".join(f"{path} ({kind or 'no ending'})" for kind, path in kinds.items())
                raise ValueError(f"the files of a dataset have records of one kind, and these differ: {found}; name it with of=")
        self.dtype = _records.dtype_of(kind_of_path(self.paths[0]) if of is None else of)
        self._kind = _records._kind(_records._name_of(self.dtype))
        self._map()

    def _map(self) -> None:
        self._files: List["NDArray[Any]"] = []
        for path in self.paths:
            size = os.path.getsize(path)
            if size % self.dtype.itemsize:
                raise ValueError(f"{path}: {size} bytes are no whole number of records of {self.dtype.itemsize} bytes")
            # An empty file can't be mapped.
            self._files.append(np.memmap(path, self.dtype, "r") if size else np.empty(0, self.dtype))
        self._ends = np.cumsum([len(file) for file in self._files])

    # Workers of a DataLoader map the files themselves.
    def __getstate__(self) -> Dict[str, Any]:
        state = self.__dict__.copy()
        del state["_files"], state["_ends"]
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._map()

    def __len__(self) -> int:
        return int(self._ends[-1])

    def records(self, which: Any) -> "NDArray[Any]":
        """The records themselves, by a slice or by indices. A slice of one file is a view of it."""
        if isinstance(which, slice):
            begin, end, step = which.indices(len(self))
            file = int(np.searchsorted(self._ends, begin, "right"))
            if step == 1 and begin < end and end <= self._ends[file]:
                first = int(self._ends[file]) - len(self._files[file])
                return self._files[file][begin - first : end - first]
            which = np.arange(begin, end, step)
        indices = np.asarray(which)
        if indices.size == 0:
            return np.empty(0, self.dtype)
        if indices.dtype.kind not in "ui" or indices.ndim != 1:
            raise TypeError("records are chosen by a slice or by an array of whole numbers")
        if indices.min() < -len(self) or indices.max() >= len(self):
            raise IndexError(f"the dataset has {len(self)} records")
        indices = np.where(indices < 0, indices + len(self), indices).astype(np.int64)
        out = np.empty(len(indices), self.dtype)
        places = np.searchsorted(self._ends, indices, "right")
        for number in np.unique(places):
            here = places == number
            records = self._files[number]
            out[here] = records[indices[here] - (int(self._ends[number]) - len(records))]
        return out

    def __getitem__(self, which: Any) -> Batch:
        if isinstance(which, (int, np.integer)):
            return {name: array[0] for name, array in self.decode(self.records([int(which)])).items()}
        return self.decode(self.records(which))

    def decode(self, records: "NDArray[Any]") -> Batch:
        """What ``dataset[i]`` has, for any records of this kind."""
        boards, hands, sides = _records.unpack(records, self._kind.name, threads=1)
        batch: Batch = {"board": boards, "hand": hands, "side": sides}
        names = records.dtype.names or ()
        if "score" in names:  # psv, sspv
            batch["score"] = records["score"]
            batch["move"] = records["move"].astype(np.int32)
            batch["ply"] = records["gamePly"].astype(np.int32)
            batch["result"] = records["game_result"]
        elif "eval" in names:  # hcpe, hcpe2: the winner is named by colour, in the lower two bits
            batch["score"] = records["eval"]
            batch["move"] = records["bestMove16"].astype(np.int32) & 0xFFFF
            winner = records["gameResult" if "gameResult" in names else "result"].astype(np.int8) & 3
            batch["result"] = np.where(winner == 0, 0, np.where(winner == sides + 1, 1, -1)).astype(np.int8)
        return batch

    def order(self, size: int, *, seed: Optional[int] = 0, drop_last: bool = False, worker: int = 0, workers: int = 1) -> "Order":
        """The indices of each batch, in an order that depends on the seed; ``seed=None``: as they are."""
        return Order(len(self), size, seed, drop_last, worker, workers)

    def batches(
        self, size: int, *, seed: Optional[int] = 0, drop_last: bool = False, worker: int = 0, workers: int = 1
    ) -> Iterator[Batch]:
        """Batches of ``size`` records, in an order that depends on the seed; ``seed=None``: as they are.

        Every record comes once. Take another seed for each epoch. Of several ``workers`` each gets other batches.
        """
        for indices in self.order(size, seed=seed, drop_last=drop_last, worker=worker, workers=workers):
            yield self[indices]


class Order:
    """Batches of indices, each index once. There is no list of all of them, so a billion records cost no memory.

    Numbers are shuffled by a permutation that is computed for each one: a Feistel network of six rounds over the next power
    of four; a number that comes out too large goes in again.
    """

    def __init__(self, count: int, size: int, seed: Optional[int], drop_last: bool, worker: int, workers: int) -> None:
        if size < 1:
            raise ValueError("size: a number from 1")
        if not 0 <= worker < workers:
            raise ValueError("worker: a number from 0 to workers - 1")
        self.count, self.size, self.seed = count, size, seed
        self.all = count // size if drop_last else -(-count // size)
        self.worker, self.workers = worker, workers
        self._half = max(1, (max(count - 1, 1).bit_length() + 1) // 2)
        # seed None: no keys
        self._keys = [] if seed is None else [int(key) for key in np.random.SeedSequence(seed).generate_state(6, np.uint64)]

    def __len__(self) -> int:
        return len(range(self.worker, self.all, self.workers))

    def __iter__(self) -> Iterator["NDArray[np.int64]"]:
        for number in range(self.worker, self.all, self.workers):
            begin = number * self.size
            indices = np.arange(begin, min(begin + self.size, self.count), dtype=np.uint64)
            # Sorted, because a batch has no order, and files are read faster so.
            yield np.sort(self._shuffled(indices)).astype(np.int64)

    def _shuffled(self, numbers: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
        if not self._keys:
            return numbers
        numbers = self._permuted(numbers)
        while True:
            large = numbers >= self.count
            if not large.any():
                return numbers
            numbers[large] = self._permuted(numbers[large])

    def _permuted(self, numbers: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
        half = np.uint64(self._half)
        mask = np.uint64((1 << self._half) - 1)
        left, right = numbers >> half, numbers & mask
        for key in self._keys:
            mixed = (right + np.uint64(key & 0xFFFFFFFF)) * np.uint64(0x9E3779B97F4A7C15 ^ (key & ~1))
            mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
            left, right = right, left ^ ((mixed >> np.uint64(32)) & mask)
        return (left << half) | right
