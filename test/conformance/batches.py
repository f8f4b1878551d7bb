"""Random ragged batches: trajectories of turns of tokens, with retrieved tokens in the middle that count for nothing.

Every tensor has axes [n, t, l] or [n, t]. `by_trajectory`, `by_turn` and `leftwards` are the layouts that frameworks work on;
all are views of the same leaf, so that a gradient comes back to [n, t, l].
"""

import random

import torch


class Batch:
    def __init__(self, name, seed, shape, groups, far=False, whole=False):
        draw = random.Random(seed)
        N, T, L = shape
        self.name, self.shape, self.group = name, shape, groups
        pick = lambda lo, hi: round(draw.uniform(lo, hi), 4)
        cells = lambda make: [[[make() for _ in range(L)] for _ in range(T)] for _ in range(N)]
        pairs = lambda make: [[make() for _ in range(T)] for _ in range(N)]
        self.turn_count = [T if whole else draw.randint(1, T) for _ in range(N)]
        if not whole:
            self.turn_count[0], self.turn_count[1] = T, 1
        mask = [[[0] * L for _ in range(T)] for _ in range(N)]
        for n in range(N):
            for t in range(self.turn_count[n]):
                length = draw.randint(1, L)
                for l in range(length):
                    mask[n][t][l] = 1
                if length > 2 and draw.random() < 0.5:
                    mask[n][t][1] = 0  # a retrieved token
        self.mask = mask
        log_prob = cells(lambda: pick(-2.5, -0.1))
        away = lambda: pick(-25, 25) if draw.random() < 0.5 else pick(-1, 1)
        wide = lambda: pick(-1.8, 1.8) if draw.random() < 0.25 else pick(-0.5, 0.5)
        less = lambda distance: [[[round(x - distance(), 6) for x in row] for row in rows] for rows in log_prob]
        self.log_prob, self.old = log_prob, less(away if far else wide)
        self.near = less(lambda: draw.uniform(-0.0006, 0.0006))
        self.ref = less(away if far else lambda: pick(-0.5, 0.5))
        self.after = less(lambda: pick(-0.3, 0.3))
        self.entropy = cells(lambda: pick(0.1, 2.0))
        # Never 0: released code finds the end of a turn by its reward.
        reward = pairs(lambda: draw.choice([-1, 1]) * pick(0.05, 0.6))
        self.reward = [[round(r, 4) if t < self.turn_count[n] else 0.0 for t, r in enumerate(row)] for n, row in enumerate(reward)]
        self.value_token = cells(lambda: pick(-0.5, 1.0))
        self.value, self.value_high, self.value_term = (pairs(lambda: pick(-0.5, 1.0)) for _ in range(3))
        self.observation = [[f"{draw.choice('ab') if t else 'start'}" for t in range(T)] for _ in range(N)]
        self.agent = [["planner" if t % 2 == 0 else "caller" for t in range(T)] for _ in range(N)]
        self.switch = pairs(lambda: draw.randint(0, 1))
        self.role = cells(lambda: draw.randint(0, 2))
        # Halves of a group of four or more are trees; the last of a group of two or more is a demonstration.
        members = {g: [n for n in range(N) if groups[n] == g] for g in groups}
        half = lambda own: len(own) // 2 if len(own) >= 4 else len(own)
        self.tree = [own[0] if own.index(n) < half(own) else own[half(own)] for n, own in ((n, members[groups[n]]) for n in range(N))]
        self.demonstration = [int(len(members[g]) > 1 and members[g][-1] == n) for n, g in enumerate(groups)]

    def described(self):
        names = ["turn_count", "group", "mask", "log_prob", "old", "near", "ref", "after", "entropy", "reward", "value_token"]
        names += ["value", "value_high", "value_term", "observation", "agent", "switch", "role", "tree", "demonstration"]
        return {"shape": self.shape, **{camel(name): getattr(self, name) for name in names}}

    def run(self, old):
        return Run(self, old)


class Run:
    """One computation on a batch: the log-probs are the leaf, so that autograd gives d loss / d log-prob."""

    def __init__(self, batch, old):
        self.batch, self.old_name = batch, old
        tensor = lambda name: torch.tensor(getattr(batch, name), dtype=torch.float64)
        self.mask = tensor("mask")
        self.logp = (tensor("log_prob")).requires_grad_()
        self.old = tensor("log_prob" if old == "logProb" else old)
        self.ref, self.after, self.entropy = tensor("ref"), tensor("after"), tensor("entropy")
        self.value_token, self.value = tensor("value_token"), tensor("value")
        self.value_high, self.value_term = tensor("value_high"), tensor("value_term")
        self.reward = tensor("reward")
        self.returns = self.reward.sum(1)
        self.N, self.T, self.L = batch.shape
        # A turn's reward stands on its last sampled token.
        self.paid = torch.zeros(batch.shape)
        for n in range(self.N):
            for t in range(batch.turn_count[n]):
                last = max(l for l in range(self.L) if batch.mask[n][t][l])
                self.paid[n, t, last] = self.reward[n, t]
        self.turns = [(n, t) for n in range(self.N) for t in range(batch.turn_count[n])]
        self.rows = torch.tensor([n * self.T + t for n, t in self.turns])

    # A trajectory as one row of T * L tokens, the gaps masked.
    def by_trajectory(self, x):
        return x.reshape(self.N, -1)

    def outcome(self):
        """The whole return on the last sampled token of the row."""
        flat, mask = torch.zeros(self.N, self.T * self.L), self.by_trajectory(self.mask)
        for n in range(self.N):
            flat[n, int(mask[n].nonzero().max())] = self.returns[n]
        return flat

    # A turn as one row of L tokens.
    def by_turn(self, x):
        return x.reshape(self.N * self.T, -1)[self.rows]

    def turn_scalar(self, x):
        return x.reshape(-1)[self.rows]

    def from_turns(self, x):
        out = torch.zeros(self.N * self.T, self.L)
        out[self.rows] = x
        return out.reshape(self.N, self.T, self.L)

    # A trajectory as one row without gaps, padded on the right.
    def leftwards(self, x):
        index, there = self.places()
        return self.by_trajectory(x).gather(1, index) * there

    def from_leftwards(self, x):
        index, there = self.places()
        return torch.zeros(self.N, self.T * self.L).scatter_add(1, index, x * there).reshape(self.batch.shape)

    def places(self):
        mask = self.by_trajectory(self.mask)
        index = torch.argsort(-mask, dim=1, stable=True)
        return index, mask.gather(1, index)

    def groups(self):
        return self.batch.group

    def size(self):
        """The common size of all groups."""
        counts = {g: self.batch.group.count(g) for g in self.batch.group}
        (one,) = set(counts.values())
        return one


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


BATCHES = {
    batch.name: batch
    for batch in [
        Batch("fours", 1, (8, 3, 4), list("aaaabbbb")),
        Batch("pairs", 2, (6, 4, 3), list("aabbcc")),
        Batch("odd", 3, (7, 3, 4), list("aaabbbc")),
        Batch("whole", 4, (6, 3, 4), list("aaabbb"), whole=True),
        Batch("eight", 6, (8, 3, 3), list("aaaaaaaa")),
        Batch("far", 5, (4, 2, 4), list("aabb"), far=True),
    ]
}
EVEN = ["fours", "pairs"]
ANY = ["fours", "pairs", "odd"]
