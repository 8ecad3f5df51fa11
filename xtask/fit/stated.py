#!/usr/bin/env python3
"""Fits the weights of crates/testimony-recall/src/score/stated.rs: whether the likeliest row of a question states what is
asked.

    cargo xtask eval worlds fixtures/worlds --evidence worlds.jsonl
    cargo xtask eval worlds fixtures/small_worlds --evidence small.jsonl
    python3 xtask/fit/stated.py worlds.jsonl small.jsonl

It needs numpy. Of each question it takes the likeliest row about the right subject: one that answers, or, where nothing
answers the question, the one that most looks as if it did. Rows of worlds whose names begin with L or later are never
fitted on. It prints the weights, and for each half and several bars what is abstained from and what is answered.
"""

import sys

import numpy as np

from answers import is_gold, is_tuned, read

NO_ANSWER = ("unknown", "wrong_subject", "false_premise")
ANSWERED = ("direct", "paraphrase", "temporal_current", "multi")
# A question of a small world counts so much beside one of the others, of which there are more.
SMALL = 1.5
RIDGE = 3.0
BARS = (0.0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5)
# How a sign may speak: for a row, against it, or either way.
SIGNS = {
    "missing": -1, "asked": 1, "untold": -1, "semantic": 1, "says": 1, "when": 1, "excluded": -1, "spoken": 1, "length": 0,
}


def likeliest(rows):
    about_it = [row for row in rows if row["reason"] != "Some(WrongSubject)"]
    return max(about_it, key=lambda row: row["chance"], default=None)


def odds(chance):
    return np.log(chance / (1 - chance))


def signs_of(row):
    signs = [row["signs"][name] for name in SIGNS]
    kinds = [row["kind"] == "HowMany", row["kind"] in ("What", "Which")]
    return signs + [float(kind) for kind in kinds] + [odds(row["chance"])]


def fit(x, y, weight, bounds, ridge=RIDGE):
    """Descends by gradient, and keeps every weight on its side."""
    scale = x.std(0) + 1e-6
    z = np.c_[np.ones(len(x)), (x - x.mean(0)) / scale]
    b = np.zeros(z.shape[1])
    for _ in range(20_000):
        p = 1 / (1 + np.exp(-z @ b))
        slope = z.T @ (weight * (p - y)) + ridge * np.r_[0, b[1:]]
        b -= slope / (0.3 * weight.sum())
        for at, side in enumerate(bounds, start=1):
            if side * b[at] < 0:
                b[at] = 0
    return b[0] - (b[1:] * x.mean(0) / scale).sum(), b[1:] / scale


def main(paths):
    questions = [(about, likeliest(rows)) for about, rows in read(paths) if about["kind"] in NO_ANSWER + ANSWERED]
    questions = [(about, row) for about, row in questions if row is not None]
    x = np.array([signs_of(row) for _, row in questions])
    y = np.array([is_gold(about, row) for about, row in questions], float)
    nothing = np.array([about["kind"] in NO_ANSWER for about, _ in questions])
    tuned = np.array([is_tuned(about) for about, _ in questions])
    worlds = {path: {about["world"] for about, _ in read([path])} for path in paths}
    small = min(worlds.values(), key=lambda it: -len(it)) if len(paths) < 2 else worlds[paths[-1]]
    weight = np.array([SMALL if about["world"] in small else 1.0 for about, _ in questions])
    teach = tuned & (nothing | (y == 1))
    bounds = list(SIGNS.values()) + [0, 0, 1]
    bias, weights = fit(x[teach], y[teach], weight[teach], bounds)
    print(f"bias {bias:.2f}")
    for name, value in zip(list(SIGNS) + ["how_many", "thing", "chance"], weights):
        print(f"{name:10} {value:6.2f}")
    p = 1 / (1 + np.exp(-(x @ weights + bias)))
    for half, of_half in (("tuned", tuned), ("untuned", ~tuned)):
        for bar in BARS:
            told = []
            for kind in NO_ANSWER + ANSWERED:
                of_kind = of_half & np.array([about["kind"] == kind for about, _ in questions])
                stated = (p[of_kind] >= bar) & (x[of_kind, -1] >= odds(0.1))
                right = ~stated if kind in NO_ANSWER else stated & (y[of_kind] == 1)
                told.append(f"{kind} {100 * right.mean():.0f}")
            print(half, bar, ", ".join(told))


if __name__ == "__main__":
    main(sys.argv[1:])
