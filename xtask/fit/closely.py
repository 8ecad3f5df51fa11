#!/usr/bin/env python3
"""Teaches the net of the reader on, so that it reads closely: crates/testimony-embedding/table/reader.net.

    python3 xtask/fit/closely.py --model <folder of all-MiniLM-L6-v2> --from reader.net --out closer.net

It needs what reading.py needs, but no graphics processor: an epoch takes some ten minutes on two cores.

What reading.py teaches by a teacher is careless where texts share most of their words. So the net learns from labels alone, by
groups of which only close reading tells the parts: a question with notes that answer it in other words and notes that share its
words and do not (fixtures/reading/groups.tsv), and a statement with others that differ from it in one place
(fixtures/reading/closely.tsv), with all pairs of reading.py beside them. Of its questions and notes it takes a part, and goes by
their labels and by what the net said of them before, so that nothing is unlearnt. What is written lies between the net before
and after, where it reads closely and has unlearnt next to nothing. Both halves of it are the same; standing.py teaches the
second anew.
"""

import argparse
import os
import random
import struct

import numpy as np
import torch
import torch.nn.functional as F

import reading
from reading import TREE, Net, Texts, said, taught, written

RETAINED = 15_000
# Of a question that was taught before so many notes that answer it, and so many that do not.
ANSWERS, OTHERS = 3, 4
# How much the label counts beside what was said before, and how sure a label is.
BY_LABEL, SURE = 0.6, 0.97
LABELS = {"same": 0, "more": 1, "newer": 2, "otherwise": 3, "apart": 4}
NO_RELATION = -1


def lines(name):
    for line in open(os.path.join(TREE, "fixtures/reading", name), encoding="utf-8"):
        yield line.rstrip("\n").split("\t")


def load(net, path):
    """The weights of a written net, as reading.written lays them out: of its halves the layers of what reads questions, which
    standing.py begins with as well, and what either says."""
    data = open(path, "rb").read()
    at = 16 + struct.calcsize("<11I") + 32

    def vector(count):
        nonlocal at
        at += 4 * count
        return torch.tensor(np.frombuffer(data, "<f4", count, at - 4 * count).copy())

    def matrix(rows, columns):
        nonlocal at
        scales = vector(rows)
        at += rows * columns
        numbers = np.frombuffer(data, "i1", rows * columns, at - rows * columns).reshape(rows, columns)
        return torch.tensor(numbers.astype("f4")) * scales[:, None]

    def linear(part, rows, columns):
        part.weight.data, part.bias.data = matrix(rows, columns), vector(rows)

    def norm(part):
        part.weight.data, part.bias.data = vector(reading.WIDTH), vector(reading.WIDTH)

    def half():
        for layer in net.layers:
            parts = [(matrix(width, width), vector(width)) for _ in range(3)]
            layer.qkv.weight.data, layer.qkv.bias.data = (torch.cat(part) for part in zip(*parts))
            linear(layer.o, width, width)
            norm(layer.n1)
            linear(layer.f1, between, width)
            linear(layer.f2, width, between)
            norm(layer.n2)

    width, between = reading.WIDTH, reading.BETWEEN
    net.own.weight.data = matrix(reading.WORDS, reading.OWN)
    net.map.weight.data = matrix(width, 256 + reading.OWN)
    net.places.data = matrix(reading.PLACES, width)
    net.kinds.data = torch.stack([vector(width), vector(width)])
    norm(net.norm)
    half()
    heads = [(matrix(1, width), vector(1))]
    answers = {name: part.clone() for name, part in net.layers.state_dict().items()}
    half()
    heads.append((matrix(len(reading.RELATIONS), width), vector(len(reading.RELATIONS))))
    assert at == len(data), "the net goes on"
    net.layers.load_state_dict(answers)
    net.head.weight.data, net.head.bias.data = (torch.cat(part) for part in zip(*heads))


def before(chance):
    """Questions and notes that it was taught before: a part of the notes of each."""
    for question, yes, no in reading.questions([]):
        yield from ((question, note, 1.0) for note in yes[:ANSWERS])
        yield from ((question, note, 0.0) for note in chance.sample(no, min(OTHERS, len(no))))


def main():
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--model", required=True)
    wanted.add_argument("--from", dest="start", required=True)
    wanted.add_argument("--out", required=True)
    wanted.add_argument("--epochs", type=int, default=3)
    wanted.add_argument("--share", type=float, default=0.4, help="how far from the net before to the one after")
    wanted = wanted.parse_args()
    texts, chance = Texts(), random.Random(1)
    pairs = [(texts.add(row["known"]), texts.add(row["new"]), reading.RELATIONS.index(row["relation"])) for row in reading.relations()]
    # What is told closely counts twice.
    pairs += 2 * [(texts.add(known), texts.add(new), LABELS[label]) for label, known, new in lines("closely.tsv")]
    groups = [(texts.add(question), texts.add(note), float(label == "answers")) for label, question, note in lines("groups.tsv")]
    known = [(texts.add(question), texts.add(note), label) for question, note, label in before(chance)]
    weights, tokenizer = reading.sentence_model(wanted.model)
    texts.settle(tokenizer)
    torch.manual_seed(1)
    net = Net(texts, weights, 1 + len(reading.RELATIONS), True)
    load(net, wanted.start)

    def drawn():
        first, second, label = map(np.array, zip(*chance.sample(known, RETAINED)))
        says = 1 / (1 + np.exp(-said(net, first, second)[:, 0]))
        return first, second, BY_LABEL * label + (1 - BY_LABEL) * says

    retained = [drawn() for _ in range(wanted.epochs)]

    def lesson(epoch):
        of_known, of_new, relation = map(np.array, zip(*pairs))
        question, note, label = map(np.array, zip(*groups))
        first, second, goal = retained[epoch]
        goals = np.concatenate([np.zeros(len(pairs)), goal, (1 - SURE) + (2 * SURE - 1) * label]).astype("f4")
        relation = np.concatenate([relation, np.full(len(goal) + len(label), NO_RELATION)])
        return np.concatenate([of_known, first, question]), np.concatenate([of_new, second, note]), relation, goals

    def as_labelled(out, relation, goal):
        stands = F.cross_entropy(out[:, 1:], relation.clamp(min=0), reduction="none", label_smoothing=0.05)
        answers = F.binary_cross_entropy_with_logits(out[:, 0], goal, reduction="none")
        return torch.where(relation == NO_RELATION, answers, stands).mean()

    before_it = {name: part.clone() for name, part in net.state_dict().items()}
    after = taught(net, lesson, wanted.epochs, 2e-4, 128, as_labelled)
    after.load_state_dict({name: torch.lerp(before_it[name].to(part.device), part, wanted.share) for name, part in after.state_dict().items()})
    written(after, after, wanted.out)


if __name__ == "__main__":
    main()
