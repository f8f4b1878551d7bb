"""The tabular update in NumPy, and the speed of its matrix product; asked for line by line on stdin; see peer.ts."""

import json
import sys
import time

import numpy as np


class Tabular:
    def __init__(self, spec, reported):
        self.reported = reported
        self.rate = spec["learningRate"]
        self.states = np.array(spec["states"])
        self.actions = np.array(spec["actions"])
        self.old = np.array(spec["old"])
        self.advantage = np.array(spec["advantage"])
        self.logits = np.zeros((spec["stateCount"], spec["actionCount"]))
        self.mean = np.zeros_like(self.logits)
        self.square = np.zeros_like(self.logits)
        self.steps = 0

    def step(self):
        n = len(self.states)
        shifted = self.logits - self.logits.max(axis=1, keepdims=True)
        weight = np.exp(shifted)
        total = weight.sum(axis=1, keepdims=True)
        log_prob = shifted - np.log(total)
        ratio = np.exp(log_prob[self.states, self.actions] - self.old)
        clipped = np.clip(ratio, 0.8, 1.2) * self.advantage
        plain = ratio * self.advantage
        loss = -np.minimum(plain, clipped).mean()
        if self.reported:
            self.report(weight / total, log_prob, ratio)
        d = np.where(plain <= clipped, -plain / n, 0.0)
        cells = self.logits.size
        at = self.states * self.logits.shape[1] + self.actions
        chosen = np.bincount(at, weights=d, minlength=cells).reshape(self.logits.shape)
        gradient = chosen - chosen.sum(axis=1, keepdims=True) * (weight / total)
        norm = np.sqrt((gradient * gradient).sum())
        if norm > 1:
            gradient /= norm
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.999 * self.square + 0.001 * gradient * gradient
        rate = self.rate / (1 - 0.9**self.steps)
        self.logits -= rate * self.mean / (np.sqrt(self.square / (1 - 0.999**self.steps)) + 1e-8)
        return loss

    def report(self, probability, log_prob, ratio):
        """What the trainer tells of every step: KL to the old policy, entropy, fractions clipped, range of ratios."""
        difference = log_prob[self.states, self.actions] - self.old
        high, low = ratio > 1.2, ratio < 0.8
        self.metrics = {
            "approxKl": (np.expm1(difference) - difference).mean(),
            "entropy": -(probability * log_prob).sum(axis=1)[self.states].mean(),
            "clipFracHigh": (high & (self.advantage > 0)).mean(),
            "clipFracLow": (low & (self.advantage < 0)).mean(),
            "fracOutside": (high | low).mean(),
            "ratioMax": ratio.max(),
            "ratioMin": ratio.min(),
        }


def product(size):
    a = np.ones((size, size), dtype=np.float32)
    begin, worked = time.perf_counter(), time.process_time()
    a @ a
    return 1000 * (time.perf_counter() - begin), 1000 * (time.process_time() - worked)


def main():
    with open(sys.argv[1], encoding="utf8") as file:
        specs = json.load(file)
    tables = {}
    for line in sys.stdin:
        ask = json.loads(line)
        times, processor, losses = [], [], []
        for _ in range(ask["repetitions"]):
            if ask["work"] == "product":
                wall, busy = product(ask["size"])
                times.append(wall)
                processor.append(busy)
                continue
            key = (ask["work"], ask["reported"])
            table = tables.get(key) or tables.setdefault(key, Tabular(specs[ask["work"]], ask["reported"]))
            begin, worked = time.perf_counter(), time.process_time()
            losses.append(float(table.step()))
            times.append(1000 * (time.perf_counter() - begin))
            processor.append(1000 * (time.process_time() - worked))
        print(json.dumps({"times": times, "processor": processor, "losses": losses, "memory": 0}), flush=True)


main()
