#!/usr/bin/env python3
"""Fits the weights of crates/testimony-recall/src/answer/renewal.rs: whether a later row says anew what the first row of a
question about the present says.

    cargo xtask eval worlds fixtures/worlds --evidence worlds.jsonl
    cargo xtask eval worlds fixtures/small_worlds --evidence small.jsonl
    cargo xtask eval worlds fixtures/judged_worlds --evidence judged.jsonl
    cargo xtask eval locomo <file> --evidence talks.jsonl
    cargo xtask eval locomo <file> --turns --evidence turns.jsonl
    python3 xtask/fit/renewal.py worlds.jsonl small.jsonl judged.jsonl talks.jsonl turns.jsonl

It needs numpy. A pair is the first row of a question and a newer one beside it; that the newer one goes first is right where
it answers and the first does not. Rows of worlds whose names begin with L or later are never fitted on. Of pairs that are told
by words and of those that were read together it prints the weights, and how many questions have a row that answers first:
without any rule, with the table in the code, and with these weights, cross-validated by world and conversation.
"""

import sys

import numpy as np

from answers import is_gold, is_talk, is_tuned, logistic, logit, read

# A pair of a talk counts so much beside one of a world, for there are many more of them.
OF_A_TALK = 0.2
BARS = (0.2, 0.25, 0.3, 0.4, 0.5)
# How a sign may speak: for the later row, against it, or either way.
SIDES = {"length": -1, "missing": 0, "place_earlier": -1, "ahead": 0, "many": 0, "of_another": -1, "yes_no": 0}
# Signs that have no weight: of pairs that are told by words, and of those that were read together.
LEFT_OUT = {False: {"read", "answers", "direct", "of_another", "yes_no"}, True: {"length", "ahead", "many", "says_change"}}
# What is read to be less likely renews nothing, whatever else is said, and is not read with the question.
LEAST_SAID = -4.0
FOLDS = 5


def is_pair(row, read):
    renewal = row["renewal"]
    return renewal is not None and renewal["read"] == read and (not read or renewal["signs"]["read"] >= LEAST_SAID)


class Question:
    """A question about the present, with its first row and the newer ones beside that."""

    def __init__(self, about, rows, read):
        self.about, self.talk, self.tuned = about, is_talk(about), is_tuned(about)
        # A conversation is left out of a fit as a whole, observed and turn by turn.
        self.world = f"{self.talk} {about['world']}"
        self.newer = sorted((row for row in rows if is_pair(row, read)), key=lambda row: row["said"])
        first = self.newer[0]["renewal"]["earlier"]
        self.first_is_right = any(row["name"] == first and is_gold(about, row) for row in rows)
        self.right = np.array([is_gold(about, row) for row in self.newer])
        self.signs = np.array([[said for name, said in row["renewal"]["signs"].items() if name not in LEFT_OUT[read]] for row in self.newer])
        self.renewed = np.array([row["renewal"]["renews"] for row in self.newer])

    def is_right(self, renewed):
        """Whether the first row is a right one, where of those that say it anew the newest goes first."""
        return self.right[renewed][-1] if renewed.any() else self.first_is_right


def questions_of(evidence, together):
    asked = [(about, rows) for about, rows in evidence if any(is_pair(row, together) for row in rows)]
    names = list(next(row["renewal"]["signs"] for row in asked[0][1] if is_pair(row, together)))
    return [name for name in names if name not in LEFT_OUT[together]], [Question(about, rows, together) for about, rows in asked]


def fit(names, questions):
    x = np.concatenate([question.signs for question in questions])
    y = np.concatenate([question.right & (not question.first_is_right) for question in questions]).astype(float)
    weight = [np.full(len(question.right), OF_A_TALK if question.talk else 1.0) for question in questions]
    sides = np.array([SIDES.get(name, 1) for name in names])
    low, high = np.where(sides > 0, 0.0, -50.0), np.where(sides < 0, 0.0, 50.0)
    return logistic(x, y, np.concatenate(weight), low, high, steps=2_000)


def crossed(names, questions):
    """What the weights say of each question that were fitted without its world."""
    worlds = sorted({question.world for question in questions})
    said = {}
    for fold in range(FOLDS):
        out = set(worlds[fold::FOLDS])
        weights, bias = fit(names, [it for it in questions if it.tuned and it.world not in out])
        said |= {id(it): it.signs @ weights + bias for it in questions if it.world in out}
    return said


def tell(label, questions, renewed):
    told = []
    for name, of in {
        "tuned": lambda it: not it.talk and it.tuned,
        "untuned": lambda it: not it.talk and not it.tuned,
        "talks": lambda it: it.talk,
    }.items():
        asked = [it for it in questions if of(it) and (it.talk or it.about["kind"] == "temporal_current")]
        told.append(f"{name} {sum(it.is_right(renewed(it)) for it in asked)} of {len(asked)}")
    print(f"{label}: " + ", ".join(told))


def fitted(names, questions):
    weights, bias = fit(names, [it for it in questions if it.tuned])
    print(f"const BIAS: f64 = {bias:.2f};")
    for name, weight in zip(names, weights):
        print(f'    sign("{name}", {weight:.2f},')
    tell("no rule", questions, lambda it: np.zeros(len(it.newer), bool))
    tell("the table in the code", questions, lambda it: it.renewed)
    said = crossed(names, questions)
    for bar in BARS:
        tell(f"from {bar}, cross-validated", questions, lambda it: said[id(it)] >= logit(bar))


def main(paths):
    evidence = list(read(paths))
    for together in (False, True):
        print("read together:" if together else "by words:")
        if any(is_pair(row, together) for _, rows in evidence for row in rows):
            fitted(*questions_of(evidence, together))


if __name__ == "__main__":
    main(sys.argv[1:])
