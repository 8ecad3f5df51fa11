#!/usr/bin/env python3
"""Fits the weights of crates/testimony-recall/src/score/answer.rs from what speaks for the candidates of questions.

    cargo xtask eval worlds fixtures/worlds --evidence worlds.jsonl
    cargo xtask eval locomo <file> --evidence talks.jsonl
    cargo xtask eval locomo <file> --turns --evidence turns.jsonl
    python3 xtask/fit/answers.py worlds.jsonl talks.jsonl turns.jsonl

It needs numpy. Rows of worlds whose names begin with L or later are never fitted on. It prints the table, of each sign
its curve for the place of a row and its weights for the chance that it answers and for the chance that it helps; and what
the table makes of the questions, fitted on all and cross-validated by world and conversation, where rows that answer go
first and stand by their places; then what a perfect order of the candidates would reach.
"""

import collections
import json
import sys

import numpy as np

ANSWERABLE = ("direct", "paraphrase", "temporal_current", "historical", "multi")
AGAINST = {"missing", "untold", "other", "excluded", "elsewhere", "asks"}
EITHER = {"unseen", "yes_no"}
# What hardly a row has that a task finds says nothing there.
RARE_IN_TASKS = {"said_before", "said_after", "alone", "asks"}
NO_ANSWER = ("unknown", "wrong_subject", "false_premise")
FOREIGN = "of another conversation"
# How much a question of each set counts beside one of a world, for the chances: there are many more of them.
SHARES = {"worlds": 1.0, "locomo": 0.35, "locomo turns": 0.2}
FOREIGN_SHARE = 0.55
# The same for the order of the rows.
ORDER_SHARES = {"worlds": 2.0, "locomo": 1.5, "locomo turns": 1.0}
# How much the chances count beside the order: where a row is put, and where it is asked whether it answers.
FOR_PLACES = 0.5
FOR_CHANCES = 60.0
# A curve bends where so many of the candidates of which its sign says anything lie below. A sign of few values is a line.
BENDS = (0.5, 0.9)
FEW_VALUES = 8


def read(paths):
    questions = collections.OrderedDict()
    for path in paths:
        for line in open(path, encoding="utf-8"):
            row = json.loads(line)
            about = row["about"]
            key = (about["set"], about["world"], about["q"])
            questions.setdefault(key, (about, []))[1].append(row)
    return list(questions.values())


def is_talk(about):
    return about["set"].startswith("locomo")


def is_answered(about):
    """Whether a question of a talk has an answer in it."""
    return about["kind"] not in ("no answer", FOREIGN)


def is_gold(about, row):
    if is_talk(about):
        return is_answered(about) and bool(set(row["name"] or []) & set(about["gold"]))
    return about["kind"] in ANSWERABLE + ("task",) and row["name"] in about["gold"]


def is_tuned(about):
    return is_talk(about) or about["world"][0] < "l"


class Rows:
    def __init__(self, questions):
        self.questions = questions
        self.names = list(questions[0][1][0]["signs"])
        signs_of, self.y, self.about, self.veto, self.spans = [], [], [], [], []
        for about, rows in questions:
            start = len(signs_of)
            for row in rows:
                signs = row["signs"]
                signs_of.append([signs[name] for name in self.names])
                self.y.append(float(is_gold(about, row)))
                self.about.append(about)
                shown = row["gate"].startswith(("Pass", "Mark"))
                self.veto.append(not shown or signs["other"] > 0 or signs["excluded"] > 0)
            self.spans.append((start, len(signs_of)))
        self.y, self.veto = np.array(self.y), np.array(self.veto)
        self.talk = np.array([is_talk(about) for about in self.about])
        self.tuned = np.array([is_tuned(about) for about in self.about])
        self.task = np.array([about["kind"] == "task" for about in self.about])
        # A conversation is left out of a fit as a whole, observed and turn by turn.
        self.group = np.array([f"{is_talk(about)} {about['world']}" for about in self.about])
        self.lines = Lines(self.names, np.array(signs_of))
        self.curves = Curves(self.names, np.array(signs_of), self.tuned)


class Lines:
    """What a fit weighs: each sign as it is."""

    def __init__(self, names, signs):
        self.X, self.of = signs, names

    def told(self, w):
        return [f"{weight:.2f}" for weight in w]


class Curves:
    """What a fit weighs: each sign from one bend to the next, each from 0 to 1, so that weights make straight lines."""

    def __init__(self, names, signs, fitted):
        self.bends = [bends(said[fitted]) for said in signs.T]
        parts = [(sign, *ends) for sign, at in enumerate(self.bends) for ends in zip([0.0, *at], at)]
        self.X = np.array([np.clip((signs[:, sign] - start) / (end - start), 0, 1) for sign, start, end in parts]).T
        self.of = [names[sign] for sign, *_ in parts]
        self.sign = np.array([sign for sign, *_ in parts])

    def told(self, w):
        """What each sign says at its bends and where it is 1."""
        told = []
        for sign, at in enumerate(self.bends):
            says = [f"{value:.2f}" for value in np.cumsum(w[self.sign == sign])]
            straight = len(at) == 1 or not any(w[self.sign == sign])
            told.append(f"line({says[0]})" if straight else f"curve({at[:-1]}, [{', '.join(says)}])")
        return told


def bends(said):
    """Where the curve of a sign bends, and where it ends."""
    inner = [] if len(np.unique(said)) <= FEW_VALUES else [round(at, 2) for at in np.quantile(said[said > 0], BENDS)]
    return sorted({float(at) for at in inner if 0 < at < 1} | {1.0})


def bounds(names):
    """By the names of the signs: what speaks for a row never speaks less when there is more of it."""
    low = np.array([-50.0 if name in AGAINST | EITHER else 0.0 for name in names])
    high = np.array([0.0 if name in AGAINST else 50.0 for name in names])
    return low, high


def logistic(X, y, weight, low, high, decay=1e-3, steps=250):
    """Weights within bounds, and a bias."""
    mean, spread = np.average(X, 0, weight), X.std(0) + 1e-6
    Z, share = (X - mean) / spread, weight / weight.sum()
    w, b = np.zeros(X.shape[1]), -2.0
    m, v = np.zeros(len(w) + 1), np.zeros(len(w) + 1)
    for step in range(1, steps + 1):
        error = (1 / (1 + np.exp(-(Z @ w + b))) - y) * share
        slope = np.r_[Z.T @ error + decay * w, error.sum()]
        m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        move = 0.08 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-10)
        w, b = np.clip(w - move[:-1], low * spread, high * spread), b - move[-1]
    w = w / spread
    return w, b - mean @ w


def hardest(rows, score, count, fitted):
    """The best rows of each question and all that are right, with what each counts."""
    weight = np.zeros(len(rows.y))
    for (about, _), (start, end) in zip(rows.questions, rows.spans):
        if about["kind"] == "task":
            continue
        best = set(start + np.argsort(-score[start:end])[:count]) | set(start + np.flatnonzero(rows.y[start:end]))
        for at in best:
            if rows.veto[at] or not fitted[at]:
                continue
            share = SHARES[about["set"]]
            if about["kind"] == FOREIGN:
                share *= FOREIGN_SHARE
            if about["kind"] in NO_ANSWER:
                share *= 4 if about["kind"] == "wrong_subject" else 2
            if about["kind"] == "paraphrase":
                share *= 2
            if about["kind"] in ("temporal_current", "historical") and not rows.y[at]:
                share *= 0.2
            weight[at] = share
    return weight


class Order:
    """How likely the first row is a right one, were rows drawn by their scores: over all rows of each question that has
    a right row and a wrong one. A question with a right row that nothing speaks for teaches nothing by it."""

    def __init__(self, rows, fitted):
        at, share = [], []
        for (about, _), (start, end) in zip(rows.questions, rows.spans):
            here = start + np.flatnonzero(~rows.veto[start:end])
            if about["kind"] == "task" or not len(here) or not fitted[start] or len(set(rows.y[here])) < 2:
                continue
            at.append(here)
            share.append(ORDER_SHARES[about["set"]])
        self.at, share = np.concatenate(at), np.array(share) / sum(share)
        lengths = [len(here) for here in at]
        self.starts = np.cumsum([0, *lengths[:-1]])
        self.group = np.repeat(np.arange(len(at)), lengths)
        self.share, self.right = share[self.group], rows.y[self.at]

    def slope(self, score):
        drawn = np.exp(score - np.maximum.reduceat(score, self.starts)[self.group])
        drawn /= np.add.reduceat(drawn, self.starts)[self.group]
        right = drawn * self.right
        rightly = np.maximum(np.add.reduceat(right, self.starts), 1e-12)[self.group]
        return (drawn - right / rightly) * self.share


def fit_answers(rows, of, fitted, chances, rounds=2, steps=250, decay=1e-3):
    """Weights within bounds that put right rows first and tell their chances from those of the hardest wrong ones, which
    counts so much beside the order; on the scale of chances."""
    spread = of.X.std(0) + 1e-6
    low, high = (bound * spread for bound in bounds(of.of))
    Z, order = of.X / spread, Order(rows, fitted)
    ordered = Z[order.at]
    score = rows.lines.X[:, [rows.names.index(name) for name in ("semantic", "whole")]].sum(1)
    w = np.zeros(len(of.of))
    for _ in range(rounds):
        weight = hardest(rows, score, 8, fitted)
        some = weight > 0
        share, right = weight[some] / weight.sum(), rows.y[some]
        # The bias, and what it is more in talks than in worlds.
        hard, all_of = np.c_[Z[some], rows.talk[some], np.ones(some.sum())], np.r_[w, 0.0, -3.0]
        m, v = np.zeros(len(all_of)), np.zeros(len(all_of))
        for step in range(1, steps + 1):
            error = (1 / (1 + np.exp(-(hard @ all_of))) - right) * share
            slope = chances * (hard.T @ error)
            slope[:-2] += ordered.T @ order.slope(ordered @ all_of[:-2]) + decay * all_of[:-2]
            m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
            all_of -= 0.06 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-10)
            all_of[:-2] = np.clip(all_of[:-2], low, high)
        w = all_of[:-2]
        score = Z @ w
    scale, shift = calibrated(rows, score, fitted)
    return w / spread * scale, shift


def fit_helps(rows, fitted):
    some = rows.task & fitted
    low, high = bounds(rows.names)
    rare = np.isin(rows.names, list(RARE_IN_TASKS))
    low, high = np.where(rare, 0.0, low), np.where(rare, 0.0, high)
    return logistic(rows.lines.X[some], rows.y[some], np.ones(some.sum()), low, high, decay=3e-3)


def calibrated(rows, score, fitted):
    """Scale and shift that make a chance of a score, over the rows that would be returned."""
    some = np.zeros(len(score), bool)
    for (about, _), (start, end) in zip(rows.questions, rows.spans):
        if about["kind"] not in ("task", FOREIGN):
            order = [start + at for at in np.argsort(-score[start:end]) if not rows.veto[start + at]]
            some[order[:5]] = True
    some &= fitted
    # Talks have many more questions than worlds; both count the same.
    share = np.where(rows.talk[some], 1 / rows.talk[some].sum(), 1 / (~rows.talk[some]).sum())
    w, b = logistic(score[some, None], rows.y[some], share, np.array([0.0]), np.array([50.0]), decay=0)
    return w[0], b


def in_order(place, score, veto, bar):
    """Rows that answer, then the others, each by their places."""
    answers = (score >= bar) & ~veto
    return np.lexsort((-place, ~answers)), answers.sum()


def tell(rows, place, score, bar, of, label):
    kinds = collections.defaultdict(lambda: [0, 0, 0])
    for (about, all_rows), (start, end) in zip(rows.questions, rows.spans):
        if is_talk(about) or not of(about) or about["kind"] == "task":
            continue
        gold = set(about["gold"])
        order, answers = in_order(place[start:end], score[start:end], rows.veto[start:end], bar)
        names = [all_rows[at]["name"] for at in order[:answers]]
        right = {
            "multi": gold <= set(names[:5]),
            "paraphrase": bool(gold & set(names[:5])),
        }.get(about["kind"], bool(gold & set(names[:3])) if about["kind"] in ANSWERABLE else not names)
        kinds[about["kind"]][0] += 1
        kinds[about["kind"]][1] += right
        kinds[about["kind"]][2] += bool(gold & {all_rows[at]["name"] for at in order[:5]})
    print(f"  {label}:", {kind: f"{100 * n[1] / n[0]:.0f}/{100 * n[2] / n[0]:.0f}" for kind, n in kinds.items()})


def tell_talks(rows, place, score, bar, label):
    for talks in ("locomo", "locomo turns"):
        count, found = 0, [0.0, 0.0]
        best = collections.defaultdict(list)
        for (about, all_rows), (start, end) in zip(rows.questions, rows.spans):
            if about["set"] != talks:
                continue
            s, veto, gold = score[start:end], rows.veto[start:end], set(about["gold"])
            top = max(s[~veto], default=-99.0)
            best[about["kind"] if not is_answered(about) else "answered"].append(top if top >= bar else -99.0)
            if not is_answered(about) or not gold:
                continue
            count += 1
            order, _ = in_order(place[start:end], s, veto, bar)
            for slot, depth in enumerate((5, 10)):
                found[slot] += len(turns_of([all_rows[at] for at in order[:depth]]) & gold) / len(gold)
        if count:
            told = [f"recall@5 {100 * found[0] / count:.1f} @10 {100 * found[1] / count:.1f}"]
            for kind, tops in best.items():
                part = f"AUROC {auroc(best['answered'], tops):.3f} " if kind != "answered" else ""
                told.append(f"{kind} {part}told {100 * np.mean(np.array(tops) >= bar):.0f} %")
            print(f"  {talks}, {label}:", ", ".join(told))


def turns_of(rows):
    return set().union(*[set(row["name"] or []) for row in rows])


def auroc(known, others):
    known, others = np.array(known)[:, None], np.array(others)[None]
    return ((known > others) + 0.5 * (known == others)).mean()


def tell_error(rows, score, bar, of, label):
    """How far what a returned row says of itself is from how often such rows are right."""
    said, right = [], []
    for (about, _), (start, end) in zip(rows.questions, rows.spans):
        if about["kind"] in ("task", FOREIGN) or not of(about):
            continue
        order = [at for at in start + np.argsort(-score[start:end]) if score[at] >= bar and not rows.veto[at]][:10]
        said += list(1 / (1 + np.exp(-score[order])))
        right += list(rows.y[order])
    order = np.argsort(said)
    parts = zip(np.array_split(np.array(said)[order], 10), np.array_split(np.array(right)[order], 10))
    error = sum(abs(s.mean() - r.mean()) * len(s) for s, r in parts if len(s)) / max(1, len(said))
    print(f"  {label}: expected error {error:.3f} over {len(said)} rows")


def tell_ceilings(rows):
    """What a perfect order of the candidates would reach."""
    for talks in ("locomo", "locomo turns"):
        count, found = 0, [0.0, 0.0]
        for about, all_rows in rows.questions:
            gold = set(about["gold"])
            if about["set"] != talks or not is_answered(about) or not gold:
                continue
            count += 1
            best = sorted(all_rows, key=lambda row: -len(set(row["name"] or []) & gold))
            for slot, depth in enumerate((5, 10)):
                found[slot] += len(turns_of(best[:depth]) & gold) / len(gold)
        if count:
            print(f"a perfect order, {talks}: @5 {100 * found[0] / count:.1f} @10 {100 * found[1] / count:.1f}")


def tell_tasks(rows, score, bar, of, label):
    useful, gold, packed, useless = 0.0, 0, 0, 0
    for (about, all_rows), (start, end) in zip(rows.questions, rows.spans):
        if about["kind"] != "task" or not of(about):
            continue
        chosen = {row["name"] for row, s in zip(all_rows, score[start:end]) if s >= bar}
        useful += len(chosen & set(about["gold"])) / len(about["gold"])
        gold, packed, useless = gold + 1, packed + len(chosen), useless + len(chosen - set(about["gold"]))
    print(f"  {label}: useful {100 * useful / gold:.0f} useless {100 * useless / max(packed, 1):.0f}")


def logit(p):
    return np.log(p / (1 - p))


def main():
    rows = Rows(read(sys.argv[1:]))
    fits = {
        "PLACES": (rows.curves, lambda fitted: fit_answers(rows, rows.curves, fitted, FOR_PLACES)),
        "ANSWERS": (rows.lines, lambda fitted: fit_answers(rows, rows.lines, fitted, FOR_CHANCES)),
        "HELPS": (rows.lines, lambda fitted: fit_helps(rows, fitted)),
    }
    fitted = {name: fit(rows.tuned) for name, (_, fit) in fits.items()}
    for name, (_, bias) in fitted.items():
        print(f"const BIAS_{name}: f64 = {bias:.2f};")
    told = [of.told(fitted[name][0]) for name, (of, _) in fits.items()]
    for name, places, answers, helps in zip(rows.names, *told):
        print(f'    sign("{name}", {places}, [{answers}, {helps}],')
    place, score, helps = (of.X @ fitted[name][0] + fitted[name][1] for name, (of, _) in fits.items())
    crossed = {name: np.zeros(len(rows.y)) for name in fits}
    groups = sorted(set(rows.group))
    for fold in range(5):
        out = np.isin(rows.group, groups[fold::5])
        for name, (of, fit) in fits.items():
            w, b = fit(rows.tuned & ~out)
            crossed[name][out] = of.X[out] @ w + b
    crossed_place, crossed_score, crossed_helps = crossed.values()
    untuned = lambda about: not is_tuned(about)
    tell_ceilings(rows)
    for p in (0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3):
        print(f"answers from {p}")
        tell_talks(rows, crossed_place, crossed_score, logit(p), "crossed")
        tell(rows, crossed_place, crossed_score, logit(p), is_tuned, "tuned, crossed")
        tell(rows, place, score, logit(p), untuned, "untuned")
        tell_error(rows, crossed_score, logit(p), is_tuned, "all tuned, crossed")
        tell_error(rows, score, logit(p), untuned, "untuned")
        tell_tasks(rows, crossed_helps, logit(p), is_tuned, "tasks, tuned, crossed")
        tell_tasks(rows, helps, logit(p), untuned, "tasks, untuned")


if __name__ == "__main__":
    main()
