#!/usr/bin/env python3
"""Fits the weights beside what was read, `SIGNS_OF_READ` in crates/testimony-recall/src/score/stated.rs.

    cargo xtask eval worlds fixtures/worlds --half tuned --evidence worlds.jsonl
    cargo xtask eval worlds fixtures/judged_worlds --half tuned --evidence judged.jsonl
    cargo xtask eval worlds fixtures/small_worlds --half tuned --evidence small.jsonl
    python3 xtask/fit/read.py --untaught small.jsonl worlds.jsonl judged.jsonl

It needs numpy. Of rooms with which the reader was taught only every fourth is taken, which xtask/fit/reading.py left out; of
those named by --untaught every one. It takes every row that was read; of questions whose older rows may answer too, only
those that are right. It prints the weights, and for several bars what is abstained from and what is answered.
"""

import argparse
import zlib

import numpy as np

from answers import is_gold, read
from stated import ANSWERED, BARS, NO_ANSWER, fit, odds

SIGNS = {"missing": -1, "asked": 1, "elsewhere": -1, "says": 1, "when": 1, "excluded": -1, "spoken": 1}
# Fewer rows than elsewhere, and each beside others of its question.
RIDGE = 10.0
# Rows that are not named as right may answer such a question as well.
OTHERS_MAY_ANSWER = ("temporal_current", "historical", "multi")


def signs_of(row):
    return [row["signs"][name] for name in SIGNS] + [odds(np.clip(row["chance"], 1e-5, 1 - 1e-5)), row["reads"]]


def main(taught, untaught):
    left_out = [it for it in read(taught) if zlib.crc32(str(it[0]["world"]).encode()) % 4 == 0]
    questions = [(about, [row for row in rows if row["reads"] is not None]) for about, rows in left_out + read(untaught)]
    questions = [(about, rows) for about, rows in questions if rows and about["kind"] != "task"]
    rows = [(about, row, is_gold(about, row)) for about, rows in questions for row in rows]
    rows = [it for it in rows if it[2] or it[0]["kind"] not in OTHERS_MAY_ANSWER]
    x = np.array([signs_of(row) for _, row, _ in rows])
    y = np.array([right for _, _, right in rows], float)
    bias, weights = fit(x, y, np.ones(len(y)), list(SIGNS.values()) + [1, 1], RIDGE)
    print(f"{len(y)} rows, bias {bias:.2f}")
    for name, value in zip(list(SIGNS) + ["chance", "reads"], weights):
        print(f"{name:10} {value:6.2f}")
    for bar in BARS:
        told = []
        for kind in NO_ANSWER + ANSWERED:
            of_kind = [(about, rows) for about, rows in questions if about["kind"] == kind]
            right = 0
            for about, rows in of_kind:
                chances = 1 / (1 + np.exp(-(np.array([signs_of(row) for row in rows]) @ weights + bias)))
                answers = any(chance >= bar and is_gold(about, row) for chance, row in zip(chances, rows))
                right += chances.max() < bar if kind in NO_ANSWER else answers
            told.append(f"{kind} {100 * right / max(1, len(of_kind)):.0f}")
        print(bar, ", ".join(told))


if __name__ == "__main__":
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--untaught", nargs="*", default=[])
    wanted.add_argument("taught", nargs="*")
    wanted = wanted.parse_args()
    main(wanted.taught, wanted.untaught)
