"""Training a table of histories with plain PyTorch, asked for line by line on stdin; see peer.ts.

The environment comes as arrays of transitions (tableWorld.ts), so that all episodes advance together and no
Python code runs per step and episode.
"""

import json
import sys
import time

import torch
import torch.nn.functional as F


class World:
    def __init__(self, spec):
        self.spec = spec
        outcomes = max(len(k) for node in spec["next"] for k in node)

        def padded(name, fill):
            rows = [[k + [fill if fill is not None else k[-1]] * (outcomes - len(k)) for k in n] for n in spec[name]]
            return torch.tensor(rows)

        self.row = torch.tensor(spec["row"])
        self.next = padded("next", None)
        self.cumulative = padded("cumulative", 2.0)
        self.reward = padded("reward", None)
        self.start = torch.tensor(spec["start"])
        self.start_cumulative = torch.tensor(spec["startCumulative"])
        self.T, self.L = spec["maxTurns"], spec["maxTokens"]


class Batch:
    """row, token, mask, old log-prob [N, T, L]; reward, turn [N, T]; group of each trajectory is n // size."""

    def __init__(self, n, world):
        shape = (n, world.T, world.L)
        self.row = torch.zeros(shape, dtype=torch.long)
        self.token = torch.zeros(shape, dtype=torch.long)
        self.mask = torch.zeros(shape)
        self.old = torch.zeros(shape)
        self.reward = torch.zeros(n, world.T)


@torch.no_grad()
def collect(world, logits, groups, size):
    n = groups * size
    batch = Batch(n, world)
    first = torch.searchsorted(world.start_cumulative, torch.rand(groups), right=True).clamp(max=len(world.start) - 1)
    node = world.start[first].repeat_interleave(size)
    for t in range(world.T):
        for l in range(world.L):
            live = node >= 0
            if not live.any():
                return batch
            row = world.row[node]
            log_prob = F.log_softmax(logits[row], dim=-1)
            token = torch.multinomial(log_prob.exp(), 1).squeeze(1)
            cumulative = world.cumulative[node, token]
            k = (torch.rand(n, 1) >= cumulative).sum(1).clamp(max=cumulative.shape[1] - 1)
            batch.row[:, t, l] = row
            batch.token[:, t, l] = token
            batch.mask[:, t, l] = live
            batch.old[:, t, l] = log_prob.gather(1, token.unsqueeze(1)).squeeze(1)
            batch.reward[:, t] += torch.where(live, world.reward[node, token, k], torch.zeros(n))
            node = torch.where(live, world.next[node, token, k], node)
    return batch


class Learner:
    def __init__(self, world, rule, steps, rate):
        self.world, self.rule, self.steps = world, rule, steps
        self.logits = torch.zeros(world.spec["rows"], world.spec["vocabularySize"], requires_grad=True)
        self.values = torch.zeros(world.spec["rows"], requires_grad=True)
        leaves = [self.logits] + ([self.values] if rule == "ppo" else [])
        self.optimizer = torch.optim.Adam(leaves, lr=rate, fused=True)

    def log_prob(self, batch):
        chosen = F.log_softmax(self.logits, dim=-1)[batch.row, batch.token]
        return chosen * batch.mask

    def step(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()

    def update(self, batch, size):
        {"grpo": self.grpo, "ppo": self.ppo, "seeUpo": self.see_upo}[self.rule](batch, size)

    def grpo(self, batch, size):
        reward = batch.reward.sum(1).view(-1, size)
        advantage = (reward - reward.mean(1, keepdim=True)) / (reward.std(1, keepdim=True) + 1e-6)
        advantage = advantage.view(-1, 1, 1)
        weight = batch.mask / batch.mask.sum((1, 2), keepdim=True) / len(batch.mask)
        for _ in range(self.steps):
            ratio = torch.exp(self.log_prob(batch) - batch.old)
            objective = torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
            self.step(-(weight * objective).sum())

    def ppo(self, batch, size):
        """GAE over tokens with gamma = lambda = 1, whitened; a value per turn, at the row of its first token."""
        to_go = batch.reward.flip(1).cumsum(1).flip(1)
        first, turn = batch.row[:, :, 0], batch.mask[:, :, 0]
        with torch.no_grad():
            raw = ((to_go - self.values[first]) * turn).unsqueeze(2) * batch.mask
            taken = raw[batch.mask > 0]
            advantage = (raw - taken.mean()) / (taken.std() + 1e-6) * batch.mask
        tokens, turns = batch.mask.sum(), turn.sum()
        for _ in range(self.steps):
            ratio = torch.exp(self.log_prob(batch) - batch.old)
            objective = torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
            error = (self.values[first] - to_go) * turn
            self.step(-(objective * batch.mask).sum() / tokens + 0.25 * (error * error).sum() / turns)

    def see_upo(self, batch, size):
        reward = batch.reward.sum(1).view(-1, size)
        advantage = (reward - reward.mean(1, keepdim=True)).view(-1)
        carry = torch.ones_like(advantage)
        reached = batch.mask[:, :, 0]
        for t in reversed(range(self.world.T)):
            if not reached[:, t].any():
                continue
            carried = advantage * carry
            for _ in range(self.steps):
                ratio = torch.exp((self.log_prob(batch)[:, t] - batch.old[:, t]).sum(1))
                objective = torch.minimum(ratio * carried, ratio.clamp(0.8, 1.2) * carried)
                self.step(-(objective * reached[:, t]).mean())
            with torch.no_grad():
                after = (self.log_prob(batch)[:, t] - batch.old[:, t]).sum(1)
                carry = carry * torch.exp(after)


def one_update(world, ask):
    """The parameters after one update on a given batch, from zero; in 64 bits, as Adam blows up what rounding leaves of 0."""
    torch.set_default_dtype(torch.float64)
    given = ask["batch"]
    batch = Batch(len(given["reward"]), world)
    for name in ("row", "token"):
        getattr(batch, name)[:] = torch.tensor(given[name])
    for name in ("mask", "old", "reward"):
        getattr(batch, name)[:] = torch.tensor(given[name])
    learner = Learner(world, ask["rule"], ask["steps"], ask["rate"])
    learner.update(batch, ask["groupSize"])
    torch.set_default_dtype(torch.float32)
    return learner.logits.detach().flatten().tolist()


def train(world, ask):
    """Updates until the mean return of the last batches is at the target."""
    torch.manual_seed(ask["seed"])
    learner = Learner(world, ask["rule"], ask["steps"], ask["rate"])
    latest = []
    for update in range(1, ask["most"] + 1):
        batch = collect(world, learner.logits, ask["groups"], ask["groupSize"])
        learner.update(batch, ask["groupSize"])
        latest = (latest + [batch.reward.sum(1).mean().item()])[-ask["window"] :]
        if len(latest) == ask["window"] and sum(latest) / len(latest) >= ask["target"]:
            return update
    return -ask["most"]


def main():
    torch.set_num_threads(1)
    with open(sys.argv[1], encoding="utf8") as file:
        worlds = {name: World(spec) for name, spec in json.load(file).items()}
    for line in sys.stdin:
        ask = json.loads(line)
        world = worlds[ask["world"]]
        if "batch" in ask:
            print(json.dumps({"times": [], "processor": [], "losses": one_update(world, ask), "memory": 0}), flush=True)
            continue
        begin, worked = time.perf_counter(), time.process_time()
        updates = train(world, ask)
        took = 1000 * (time.perf_counter() - begin)
        busy = 1000 * (time.process_time() - worked)
        print(json.dumps({"times": [took], "processor": [busy], "losses": [updates], "memory": 0}), flush=True)


main()
