#!/usr/bin/env python3
"""Teaches how a statement stands to a known one: the second half of crates/testimony-embedding/table/reader.net.

    python3 xtask/fit/standing.py --model <folder of all-MiniLM-L6-v2> --from reader.net --out stands.net

It needs what reading.py needs, but no graphics processor: an epoch takes some ten minutes on two cores.

Six layers of their own begin as those that read questions, over the same words, and learn from labels alone: what writers wrote
as pairs (fixtures/pairs, relations.jsonl, closely.tsv and standing.tsv of fixtures/reading), rooms of which it is told which
note makes which out of date (changing.jsonl), every other two of which are apart, and notes of other rooms that share words and
that no question asks for together. Nothing of what reads questions is touched.
"""

import argparse
import json
import os
import random

import numpy as np
import torch
import torch.nn.functional as F

import reading
from closely import LABELS, lines, load
from reading import TREE, Net, Texts, taught, words_of, written

SAME, MORE, NEWER, OTHERWISE, APART = range(5)
# What stands so to another is stood to by it alike.
BOTH_WAYS = (SAME, OTHERWISE, APART)
# Of the notes of a room of which none makes another out of date so many pairs; of other rooms, where they share one word only.
OF_A_ROOM, HARDLY_NEAR = 45, 3_000


def beside(rows, known):
    """Each row with each before it of which nothing else is known, and how many words both have."""
    words = [words_of(row) for row in rows]
    for new in range(len(rows)):
        for old in range(new):
            if (new, old) not in known:
                yield len(words[old] & words[new]), len(words[old]), (rows[old], rows[new], APART)


def changing(chance):
    """Notes of rooms in which things change: those that do, the nearest of the others, and some of the rest."""
    for line in open(os.path.join(TREE, "fixtures/reading/changing.jsonl"), encoding="utf-8"):
        room = json.loads(line)
        rows, newer = room["rows"], {tuple(pair) for pair in room["newer"]}
        yield from ((rows[old], rows[new], NEWER) for new, old in newer)
        others = sorted(beside(rows, newer), key=lambda it: -it[0])
        nearest = [pair for _, _, pair in others[: OF_A_ROOM * 2 // 3]]
        rest = [pair for _, _, pair in others[OF_A_ROOM * 2 // 3 :]]
        yield from nearest + chance.sample(rest, min(OF_A_ROOM // 3, len(rest)))


def neighbours(chance):
    """Notes of one room that nobody asks for together, near each other or hardly."""
    near, hardly = [], []
    for _, room in reading.rooms():
        together = set()
        for _, answers, *former in room["qs"]:
            asked = set(answers) | set(former[0] if former else ())
            together |= {(one, other) for one in asked for other in asked}
        for both, of_known, pair in beside(room["rows"], together):
            if both:
                is_near = both > 1 and both * 4 >= of_known
                (near if is_near else hardly).append(pair)
    return near + chance.sample(hardly, min(HARDLY_NEAR, len(hardly)))


def told():
    """What writers wrote as pairs; of what is told closely both ways round, where they are alike."""
    for row in reading.relations():
        yield row["known"], row["new"], reading.RELATIONS.index(row["relation"])
    for name in ("closely.tsv", "standing.tsv"):
        for label, known, new in lines(name):
            yield known, new, LABELS[label]
            if LABELS[label] in BOTH_WAYS:
                yield new, known, LABELS[label]


def main():
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--model", required=True)
    wanted.add_argument("--from", dest="start", required=True)
    wanted.add_argument("--out", required=True)
    wanted.add_argument("--epochs", type=int, default=3)
    wanted = wanted.parse_args()
    texts, chance = Texts(), random.Random(1)
    pairs = [*told(), *changing(chance), *neighbours(chance)]
    pairs = [(texts.add(known), texts.add(new), label) for known, new, label in pairs]
    weights, tokenizer = reading.sentence_model(wanted.model)
    texts.settle(tokenizer)
    torch.manual_seed(1)
    answers, stands = (Net(texts, weights, 1 + len(reading.RELATIONS), True) for _ in range(2))
    for net in (answers, stands):
        load(net, wanted.start)
    for part in (stands.own, stands.map, stands.norm):
        part.requires_grad_(False)
    stands.places.requires_grad_(False)
    stands.kinds.requires_grad_(False)
    print(f"{len(pairs)} pairs", flush=True)

    def lesson(_):
        known, new, label = map(np.array, zip(*pairs))
        return known, new, label

    def as_labelled(out, label):
        return F.cross_entropy(out[:, 1:], label, label_smoothing=0.05)

    written(answers, taught(stands, lesson, wanted.epochs, 3e-4, 128, as_labelled), wanted.out)


if __name__ == "__main__":
    main()
