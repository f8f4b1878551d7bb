"""Losses and gradients of every update rule by automatic differentiation, from the papers' formulas alone.

Run by hand:  python -m venv v && v/bin/pip install torch==2.15.0 && v/bin/python test/oracle/oracle.py
It rewrites test/oracle/fixture.json, which test/lib/rule/oracle.test.ts compares with the library to 1e-8.

Written without the library: plain loops over trajectories, turns and tokens, one function per algorithm, the
constants of each paper in place. d loss / d logProb is found by torch in double precision.
"""

import json
import math
import pathlib
import random

import torch

torch.set_default_dtype(torch.float64)
N, T, L = 8, 3, 3


# ---------------------------------------------------------------- data
def make_data():
    draw = random.Random(20)
    data = {}
    turns = [3, 2, 3, 1, 3, 2, 3, 3]
    data["turnCount"] = turns
    data["group"] = ["u", "u", "u", "v", "v", "v", "w", "w"]
    mask = [[[0] * L for _ in range(T)] for _ in range(N)]
    for n in range(N):
        for t in range(turns[n]):
            for l in range(1 + (n + 2 * t) % L):
                mask[n][t][l] = 1
    mask[2][0] = [1, 0, 1]  # a retrieved token in the middle of a turn
    mask[6][2] = [0, 1, 1]
    data["mask"] = mask
    pick = lambda lo, hi: round(draw.uniform(lo, hi), 4)
    cells = lambda f: [[[f() for _ in range(L)] for _ in range(T)] for _ in range(N)]
    data["logProb"] = cells(lambda: pick(-2.5, -0.1))
    far = cells(lambda: pick(-0.8, 0.8))
    near = cells(lambda: pick(-0.0006, 0.0006))
    shift = lambda d: [[[round(data["logProb"][n][t][l] - d[n][t][l], 6) for l in range(L)] for t in range(T)] for n in range(N)]
    data["oldFar"] = shift(far)
    data["oldNear"] = shift(near)
    data["ref"] = shift(cells(lambda: pick(-0.5, 0.5)))
    data["after"] = shift(cells(lambda: pick(-0.3, 0.3)))  # log-probs after a turn's step
    data["entropy"] = cells(lambda: pick(0.1, 2.0))
    reward = [[0.0] * T for _ in range(N)]
    for n in range(N):
        for t in range(turns[n]):
            reward[n][t] = pick(-0.5, 0.5)
        reward[n][turns[n] - 1] += 1.0 if n % 2 else 0.0
        reward[n] = [round(r, 4) for r in reward[n]]
    reward[6] = [0.25, 0.25, 0.5]  # the group w has equal returns
    reward[7] = [0.5, 0.25, 0.25]
    data["reward"] = reward
    data["value"] = [[pick(-0.5, 1.0) for _ in range(T)] for _ in range(N)]
    data["valueToken"] = cells(lambda: pick(-0.5, 1.0))
    data["valueHigh"] = [[pick(-0.5, 1.0) for _ in range(T)] for _ in range(N)]
    data["valueTerm"] = [[pick(-0.5, 1.0) for _ in range(T)] for _ in range(N)]
    data["observation"] = [[f"{'abc'[(n + t) % 3] if t else 'start'}" for t in range(turns[n])] for n in range(N)]
    data["agent"] = [["planner" if t % 2 == 0 else "caller" for t in range(turns[n])] for n in range(N)]
    data["switch"] = [[1 if (n + t) % 2 else 0 for t in range(T)] for n in range(N)]
    data["role"] = [[[(l + t) % 3 for l in range(L)] for t in range(T)] for n in range(N)]
    data["tree"] = [0, 0, 2, 3, 3, 3, 6, 6]  # the trunk that each trajectory left; its own number where it left none
    data["step"] = [[pick(-0.5, 0.5) if t < turns[n] else 0.0 for t in range(T)] for n in range(N)]  # what a step reward says
    data["demonstration"] = [0, 0, 1, 0, 0, 0, 0, 1]  # who is a teacher's
    data["squares"] = cells(lambda: pick(0.2, 0.9))  # sum of the squared probabilities of a token's vocabulary
    return data


D = make_data()


def make_apart():
    """How far a rollout engine's log-probs lie above the trainer's old ones: mostly little, now and then much."""
    draw = random.Random(41)
    apart = lambda: round(draw.choice([0.05, 0.3, 2.0]) * draw.uniform(-1, 1), 4)
    return [[[apart() for _ in range(L)] for _ in range(T)] for _ in range(N)]


D["apart"] = make_apart()
D["steep"] = [round(random.Random(43 + n).uniform(0.1, 3.0), 4) for n in range(N)]  # squared norm of a trajectory's gradient
RETURN = [sum(D["reward"][n][: D["turnCount"][n]]) for n in range(N)]
ALL = list(range(N))


# ---------------------------------------------------------------- small helpers
def tokens(n, t):
    return [l for l in range(L) if D["mask"][n][t][l] == 1]


def turns_of(n):
    return [t for t in range(T) if tokens(n, t)]


def length(n):
    return sum(len(tokens(n, t)) for t in range(T))


def avg(xs):
    return sum(xs) / len(xs)


def std(xs):  # n - 1, as torch.std
    m = avg(xs)
    return math.sqrt(sum((x - m) ** 2 for x in xs) / (len(xs) - 1))


def group_of(n, rows):
    return [j for j in rows if D["group"][j] == D["group"][n]]


EPS = 1e-6


def grpo_advantage(rows, returns=RETURN, eps=EPS):
    return {n: (returns[n] - avg([returns[j] for j in group_of(n, rows)])) / (std([returns[j] for j in group_of(n, rows)]) + eps) for n in rows}


def centerd(rows):
    return {n: RETURN[n] - avg([RETURN[j] for j in group_of(n, rows)]) for n in rows}


def leave_one_out(rows):
    out = {}
    for n in rows:
        others = [j for j in group_of(n, rows) if j != n]
        out[n] = RETURN[n] - avg([RETURN[j] for j in others])
    return out


def spread(per_trajectory, rows):
    return {(n, t, l): per_trajectory[n] for n in rows for t in range(T) for l in tokens(n, t)}


def whitened(values):
    keys = list(values)
    m, s = avg([values[k] for k in keys]), std([values[k] for k in keys])
    return {k: (values[k] - m) / (s + EPS) for k in keys}


def whitened_by_n(values, eps):
    """n in the variance."""
    m = avg(list(values.values()))
    s = math.sqrt(avg([(x - m) ** 2 for x in values.values()]))
    return {k: (x - m) / (s + eps) for k, x in values.items()}


def token_returns(rows, charge=lambda n, t, l: 0.0):
    """What is still earned from a token on: a turn's reward on its last sampled token, and what tokens are charged."""
    out = {}
    for n in rows:
        cells = [(n, t, l) for t in range(T) for l in tokens(n, t)]
        paid = [(D["reward"][n][t] if l == tokens(n, t)[-1] else 0.0) - charge(n, t, l) for (_, t, l) in cells]
        out.update({c: sum(paid[k:]) for k, c in enumerate(cells)})
    return out


def gae_list(rewards, values, gamma, lam, bootstrap=0.0):
    out, last = [0.0] * len(rewards), 0.0
    nxt = bootstrap
    for i in reversed(range(len(rewards))):
        delta = rewards[i] + gamma * nxt - values[i]
        last = delta + gamma * lam * last
        out[i], nxt = last, values[i]
    return out


def token_gae(rows, gamma, lam, charge=lambda n, t, l: 0.0):
    """Reward of a turn at its last sampled token, less what each token is charged; the critic values every token."""
    out = {}
    for n in rows:
        cells = [(n, t, l) for t in range(T) for l in tokens(n, t)]
        rewards = [(D["reward"][n][t] if l == tokens(n, t)[-1] else 0.0) - charge(n, t, l) for (_, t, l) in cells]
        values = [D["valueToken"][n][t][l] for (_, t, l) in cells]
        out.update(zip(cells, gae_list(rewards, values, gamma, lam)))
    return out


def turn_gae(rows, gamma, lam):
    out = {}
    for n in rows:
        ts = turns_of(n)
        adv = gae_list([D["reward"][n][t] for t in ts], [D["value"][n][t] for t in ts], gamma, lam)
        out.update({(n, t): a for t, a in zip(ts, adv)})
    return out


def turn_to_token(per_turn):
    return {(n, t, l): a for (n, t), a in per_turn.items() for l in tokens(n, t)}


def bi_level_gae(rows, gamma, lam, gamma_turn, lam_turn):
    """RAGEN: GAE over turn-end tokens, then the turn's return is the reward of GAE inside the turn."""
    out = {}
    for n in rows:
        ts = turns_of(n)
        end = [D["valueToken"][n][t][tokens(n, t)[-1]] for t in ts]
        high = gae_list([D["reward"][n][t] for t in ts], end, gamma_turn, lam_turn)
        for k, t in enumerate(ts):
            ls = tokens(n, t)
            rewards = [0.0] * (len(ls) - 1) + [high[k] + end[k]]
            low = gae_list(rewards, [D["valueToken"][n][t][l] for l in ls], gamma, lam)
            out.update({(n, t, l): a for l, a in zip(ls, low)})
    return out


def hiper_advantage(rows, gamma, lam_turn, lam_segment):
    out = {}
    for n in rows:
        ts = turns_of(n)
        starts = [t for i, t in enumerate(ts) if i == 0 or D["switch"][n][t] == 1]
        ends = starts[1:] + [ts[-1] + 1]
        high_next, segments = [], []
        for k, (a, b) in enumerate(zip(starts, ends)):
            seg = [t for t in ts if a <= t < b]
            after = D["valueHigh"][n][b] if k + 1 < len(starts) else 0.0
            segments.append((seg, after))
        low, switch = {}, {}
        for seg, after in segments:
            last, nxt = 0.0, after
            g = after
            for t in reversed(seg):
                last = D["reward"][n][t] + gamma * nxt - D["value"][n][t] + gamma * lam_turn * last
                low[t], nxt = last, D["value"][n][t]
                g = D["reward"][n][t] + gamma * g
                switch[t] = g - D["valueTerm"][n][t]
        high, carry = {}, 0.0
        for seg, after in reversed(segments):
            d = len(seg)
            delta = sum(gamma**j * D["reward"][n][t] for j, t in enumerate(seg)) + gamma**d * after - D["valueHigh"][n][seg[0]]
            carry = delta + gamma**d * lam_segment * carry
            high[seg[0]] = carry
        for t in ts:
            for l in tokens(n, t):
                role = D["role"][n][t][l]
                out[(n, t, l)] = [low[t], high.get(t, 0.0), switch[t]][role]
    return out


def gigpo_advantage(rows, w, gamma, scaled):
    togo, key = {}, {}
    for n in rows:
        for t in range(D["turnCount"][n]):
            togo[(n, t)] = sum(gamma ** (k - t) * D["reward"][n][k] for k in range(t, D["turnCount"][n]))
            key[(n, t)] = (D["group"][n], D["observation"][n][t])
    out = {}
    for (n, t), ret in togo.items():
        episode = [RETURN[j] for j in group_of(n, rows)]
        step = [togo[k] for k in togo if key[k] == key[(n, t)]]
        a_e = RETURN[n] - avg(episode)
        a_s = ret - avg(step)
        if scaled:
            a_e /= std(episode) + EPS
            a_s = 0.0 if len(step) == 1 else a_s / (std(step) + EPS)
        out[(n, t)] = a_e + w * a_s
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def dr_mas_advantage(rows, step=False):
    """Each agent's turns are normalized by themselves, task by task."""
    calls = {(n, t): (D["group"][n], D["agent"][n][t]) for n in rows for t in range(D["turnCount"][n])}
    out = {}
    paid = lambda n, t: RETURN[n] + (D["step"][n][t] if step else 0.0)
    for (n, t), k in calls.items():
        xs = [paid(j, s) for (j, s) in calls if calls[(j, s)] == k]
        out[(n, t)] = 0.0 if all(x == xs[0] for x in xs) else (paid(n, t) - avg(xs)) / (std(xs) + EPS)
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def per_turn_advantage(rows, to_go, scaled, min_group):
    """CM2: per task and turn index, r_k minus the mean of the group."""
    credit = {(n, t): sum(D["reward"][n][t:]) if to_go else D["reward"][n][t] for n in rows for t in range(D["turnCount"][n])}
    out = {}
    for (n, t), c in credit.items():
        xs = [credit[(j, s)] for (j, s) in credit if s == t and D["group"][j] == D["group"][n]]
        if len(xs) < min_group:
            out[(n, t)] = 0.0
        else:
            out[(n, t)] = (c - avg(xs)) / ((std(xs) + EPS) if scaled else 1.0)
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def igpo_advantage(rows):
    """Return to go with the information gains, minus the mean of the whole group: who has ended counts 0."""
    paid = lambda n, t: D["reward"][n][t] + D["step"][n][t] if t < D["turnCount"][n] else 0.0
    to_go = {(n, t): sum(paid(n, s) for s in range(t, T)) for n in rows for t in range(T)}
    out = {(n, t): to_go[(n, t)] - avg([to_go[(j, t)] for j in group_of(n, rows)]) for (n, t) in to_go}
    return turn_to_token({(n, t): a for (n, t), a in out.items() if tokens(n, t)})
def max_rl_advantage(rows, eps=0.0):
    """(R - mean) / mean; 0 for a group whose mean is not above 0."""
    out = {}
    for n in rows:
        m = avg([RETURN[j] for j in group_of(n, rows)])
        out[n] = (RETURN[n] - m) / (m + eps) if m > 0 else 0.0
    return out


def opo_advantage(rows):
    """R - sum(length R) / sum(length); a group of equal returns has none."""
    out = {}
    for n in rows:
        mates = group_of(n, rows)
        out[n] = RETURN[n] - sum(length(j) * RETURN[j] for j in mates) / sum(length(j) for j in mates)
    return out


def token_whitened_advantage(rows):
    """R minus the group's mean, then whitened over all tokens of the batch: a trajectory counts once for each of its tokens."""
    a = centerd(rows)
    return whitened_by_n(spread(a, rows), EPS)


def best_advantage(rows):
    """The largest return of the group minus the largest one without this trajectory, over the deviation."""
    out = {}
    for n in rows:
        mates = group_of(n, rows)
        everyone, others = [RETURN[j] for j in mates], [RETURN[j] for j in mates if j != n]
        out[n] = (max(everyone) - max(others)) / (std(everyone) + EPS)
    return out


def turn_loo_advantage(rows):
    """R minus the mean of the others of the task that are alive at that turn; R itself where there are none."""
    out = {}
    for n in rows:
        for t in range(D["turnCount"][n]):
            others = [RETURN[j] for j in group_of(n, rows) if j != n and D["turnCount"][j] > t]
            out[(n, t)] = RETURN[n] - avg(others) if others else RETURN[n]
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def mt_grpo_advantage(rows, weight, eps):
    """Outcome and first turn's reward are normalized apart; a single turn gets the advantage of their sum."""
    first = {n: D["reward"][n][0] if D["turnCount"][n] > 1 else 0.0 for n in rows}
    normal = lambda r: {n: 0.0 if max(abs(r[j] - r[n]) for j in group_of(n, rows)) < 1e-12 else (r[n] - avg([r[j] for j in group_of(n, rows)])) / (std([r[j] for j in group_of(n, rows)]) + eps) for n in rows}
    outcome, turn, combined = normal({n: RETURN[n] - first[n] for n in rows}), normal(first), normal({n: RETURN[n] for n in rows})
    out = {}
    for n in rows:
        for t in range(D["turnCount"][n]):
            single = D["turnCount"][n] == 1
            out[(n, t)] = combined[n] if single else outcome[n] + (weight * turn[n] if t == 0 else 0.0)
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def hgpo_advantage(rows, history, alpha, gamma, scaled):
    """As core_hgpo.py: clusters of the last k observations, k up to history + 1, weighted by (k + 1)^alpha where they say something."""
    items, clusters, togo = {}, {}, {}
    for n in rows:
        for t in range(D["turnCount"][n]):
            togo[(n, t)] = sum(gamma ** (k - t) * D["reward"][n][k] for k in range(t, D["turnCount"][n]))
            items[(n, t)] = []
            for k in range(1, min(history + 1, t + 1) + 1):
                clusters.setdefault((D["group"][n], k, tuple(D["observation"][n][t - k + 1 : t + 1])), []).append((n, t))
    for (_, k, _), members in clusters.items():
        if len(members) <= 1:
            continue
        r = [togo[m] for m in members]
        deviation = math.sqrt(avg([(x - avg(r)) ** 2 for x in r])) + EPS if scaled else 1.0
        for m, x in zip(members, r):
            items[m].append((k, (x - avg(r)) / deviation))
    out = {}
    for m, said in items.items():
        loud = [((k + 1) ** alpha, a) for k, a in said if abs(a) > 1e-9]
        out[m] = sum(w * a for w, a in loud) / sum(w for w, _ in loud) if loud else 0.0
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def gdpo_advantage(rows, parts, whiten=True):
    """Each part of the reward normalized in its group (n - 1, 1e-4), summed, then whitened over the trajectories."""
    total = {n: 0.0 for n in rows}
    for part in parts:
        for n in rows:
            xs = [part(j) for j in group_of(n, rows)]
            if max(xs) - min(xs) > 1e-12:
                total[n] += (part(n) - avg(xs)) / (std(xs) + 1e-4)
    values = [total[n] for n in rows]
    return {n: (total[n] - avg(values)) / (std(values) + 1e-4) for n in rows} if whiten else total


def optimal_token_advantage(p, rows):
    """Return to go minus sum(G W) / sum(W) over the group's tokens at this place; alone there, the return to go itself."""
    togo = token_returns(rows)
    cells = {n: [(n, t, l) for t in range(T) for l in tokens(n, t)] for n in rows}
    weight = {}
    for n in rows:
        total = 0.0
        for c in cells[n]:
            total += 1 - 2 * math.exp(p.old[c].item()) + D["squares"][c[0]][c[1]][c[2]]
            weight[c] = total
    out = {}
    for n in rows:
        for k, c in enumerate(cells[n]):
            here = [cells[j][k] for j in group_of(n, rows) if k < len(cells[j])]
            baseline = 0.0 if len(here) == 1 else sum(togo[x] * weight[x] for x in here) / sum(weight[x] for x in here)
            out[c] = togo[c] - baseline
    return out


def overlong(n, max_length, buffer):
    size = length(n)
    if size <= max_length - buffer:
        return 0.0
    if size > max_length:
        return -1.0
    return ((max_length - buffer) - size) / buffer


# ---------------------------------------------------------------- terms of the losses
class Policy:
    """Holds the log-probs as the parameters, so that autograd gives d loss / d logProb."""

    def __init__(self, old):
        self.logp = torch.tensor(D["logProb"], requires_grad=True)
        self.old = torch.tensor(D[old])
        self.ref = torch.tensor(D["ref"])

    def d(self, n, t, l):
        return self.logp[n, t, l] - self.old[n, t, l]

    def token_ratio(self, n, t, l):
        return torch.exp(self.d(n, t, l))

    def turn_log(self, n, t):
        return sum(self.d(n, t, l) for l in tokens(n, t))

    def turn_geo(self, n, t):
        return torch.exp(self.turn_log(n, t) / len(tokens(n, t)))

    def turn_product(self, n, t):
        return torch.exp(self.turn_log(n, t))

    def turn_mean(self, n, t):
        return sum(self.token_ratio(n, t, l) for l in tokens(n, t)) / len(tokens(n, t))

    def sequence_geo(self, n):
        return torch.exp(sum(self.turn_log(n, t) for t in turns_of(n)) / length(n))

    def k3_ref(self, n, t, l):
        x = self.ref[n, t, l] - self.logp[n, t, l]
        return torch.exp(x) - 1 - x

    def k3_old(self, n, t, l):
        x = -self.d(n, t, l)
        return torch.exp(x) - 1 - x


def ppo_clip(r, a, lo=0.2, hi=0.2):
    return torch.minimum(r * a, torch.clamp(r, 1 - lo, 1 + hi) * a)


def outside(r, lo=0.2, hi=0.2):
    return r.item() > 1 + hi or r.item() < 1 - lo


def clipped_out(r, a, lo=0.2, hi=0.2):
    return (a > 0 and r.item() > 1 + hi) or (a < 0 and r.item() < 1 - lo)


def each(rows):
    return [(n, t, l) for n in rows for t in range(T) for l in tokens(n, t)]


def token_mean(rows, f):
    cells = each(rows)
    return sum(f(*c) for c in cells) / len(cells)


def sequence_mean(rows, f):
    """1/G sum_i 1/|o_i| sum_t."""
    return sum(sum(f(n, t, l) for t in range(T) for l in tokens(n, t)) / length(n) for n in rows) / len(rows)


# ---------------------------------------------------------------- the algorithms
# Each returns (token advantages, loss to minimize, clipped-out objective or None).
def reinforce(p, rows):
    return spread({n: RETURN[n] for n in rows}, rows), -sum(RETURN[n] * sum(p.logp[n, t, l] for t in range(T) for l in tokens(n, t)) for n in rows) / len(rows), None


def reinforce_baseline(p, rows):
    a = centerd(rows)
    return spread(a, rows), -sum(a[n] * sum(p.logp[n, t, l] for t in range(T) for l in tokens(n, t)) for n in rows) / len(rows), None


def rloo(p, rows):
    a = leave_one_out(rows)
    return spread(a, rows), -sum(a[n] * sum(p.logp[n, t, l] for t in range(T) for l in tokens(n, t)) for n in rows) / len(rows), None


def reinforce_pp(p, rows):
    """Every token's return to go, whitened over all tokens of the batch."""
    a = whitened_by_n(token_returns(rows), EPS)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def reinforce_pp_kl(p, rows):
    """The KL to the reference, k1 with coefficient .3, is part of the reward: each token pays its own and that of the tokens after it."""
    a = whitened_by_n(token_returns(rows, lambda n, t, l: 0.3 * (p.old[n, t, l] - p.ref[n, t, l]).item()), EPS)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def ppo_kl(p, rows):
    """Each token is charged .3 times its own k3 estimate; gamma .9, lambda .8."""
    out = {}
    for n in rows:
        cells = [(n, t, l) for t in range(T) for l in tokens(n, t)]
        rewards = []
        for _, t, l in cells:
            x = (p.ref[n, t, l] - p.old[n, t, l]).item()
            charge = 0.3 * (math.exp(x) - 1 - x)
            rewards.append((D["reward"][n][t] if l == tokens(n, t)[-1] else 0.0) - charge)
        values = [D["valueToken"][n][t][l] for (_, t, l) in cells]
        out.update(zip(cells, gae_list(rewards, values, 0.9, 0.8)))
    a = whitened(out)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def on_policy_distillation(p, rows, gamma=0.0):
    """Each token answers for its own log-ratio to the teacher, and with gamma for those after it; no reward of the task."""
    out = {}
    for n in rows:
        after = 0.0
        for c in reversed([(n, t, l) for t in range(T) for l in tokens(n, t)]):
            after = -(p.old[c] - p.ref[c]).item() + gamma * after
            out[c] = after
    return out, -sum(p.token_ratio(*c) * a for c, a in out.items()) / len(rows), None


def opsd(p, rows):
    """Each token answers for how much likelier the policy finds it after a demonstration (the reference here); the mean over tokens."""
    a = {c: (p.ref[c] - p.old[c]).item() for c in each(rows)}
    return a, -token_mean(rows, lambda *c: p.token_ratio(*c) * a[c]), None


def echo(p, rows):
    """The part of ECHO on the policy's own tokens: what the environment answers is none of them."""
    a = spread({n: RETURN[n] - avg([RETURN[j] for j in group_of(n, rows)]) for n in rows}, rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def paced_rl(p, rows, beta=1 / 15):
    """beta / 2 times the mean of the squared residuals of the trajectory balance at pi = pi_old, with log Z held at the group's mean."""
    logs = lambda x, n: sum(x[n, t, l] for t in range(T) for l in tokens(n, t))
    flow = {n: RETURN[n] / beta + (logs(p.ref, n) - logs(p.old, n)).item() for n in rows}
    residual = {n: avg([flow[j] for j in group_of(n, rows)]) - flow[n] for n in rows}
    a = {n: -beta * residual[n] for n in rows}
    # d (beta / 2) delta^2 = beta delta d log pi, at the policy that sampled.
    return spread(a, rows), sum(beta * residual[n] * logs(p.logp, n) for n in rows) / len(rows), None


SHOWN = D["demonstration"]


def rl_plus(p, rows):
    """Unclipped ratio; a demonstration's token has 2 pi / (pi_old + (pi_old + 1) / 2) and advantage (1 - pi)^(1/2)."""
    a = spread(centerd(rows), rows)

    def term(n, t, l):
        if not SHOWN[n]:
            return p.token_ratio(n, t, l) * a[n, t, l]
        pi, old = torch.exp(p.logp[n, t, l]), torch.exp(p.old[n, t, l])
        weight = 2 * pi / (old + 0.5 * (old + 1))
        return weight * a[n, t, l] * (1 - pi.detach()) ** 0.5

    terms = [(n, t, l) for n in rows for t in range(T) for l in tokens(n, t)]
    return a, sum(-term(*c) - 0.001 * D["entropy"][c[0]][c[1]][c[2]] for c in terms) / (len(rows) * T * L), None


def loop(p, rows):
    a = spread(leave_one_out(rows), rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def grpo(p, rows):
    a = spread(grpo_advantage(rows), rows)
    return a, -sequence_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def grpo_kl(p, rows):
    a = spread(grpo_advantage(rows), rows)
    return a, -sequence_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.04 * p.k3_ref(*c)), None


def dual_clipped(p, a):
    """max(min(r A, clip(r) A), 3 A) where A < 0."""

    def f(*c):
        inner = ppo_clip(p.token_ratio(*c), a[c])
        return torch.maximum(inner, torch.tensor(3.0 * a[c])) if a[c] < 0 else inner

    return f


def verl_grpo(p, rows):
    a = spread(grpo_advantage(rows), rows)
    return a, -token_mean(rows, dual_clipped(p, a)), None


def verl_clip(p, a):
    """min(r A, clip(r) A), and no less than 3 A where A < 0."""

    def f(*c):
        inner = ppo_clip(p.token_ratio(*c), a[c])
        return torch.maximum(inner, torch.tensor(3.0 * a[c])) if a[c] < 0 else inner

    return f


def engines_apart(n, t, l):
    """log of trainer over rollout engine."""
    return -D["apart"][n][t][l]


def tis(p, rows, level="token", c=2.0):
    """min(pi_old / pi_rollout, C) beside each token's term; the ratio of a turn or a trajectory is a product."""
    a = spread(grpo_advantage(rows), rows)
    f = verl_clip(p, a)

    def weight(n, t, l):
        unit = {"token": [(t, l)], "turn": [(t, k) for k in tokens(n, t)], "trajectory": [(u, k) for u in range(T) for k in tokens(n, u)]}
        return min(math.exp(sum(engines_apart(n, u, k) for u, k in unit[level])), c)

    return a, -token_mean(rows, lambda *x: weight(*x) * f(*x)), None


def vcpo(p, rows, c=8.0):
    """REINFORCE weighed by a truncated ratio; the group's mean is weighed by the squared ratio and the squared norm."""
    whole = {n: math.exp(sum(engines_apart(n, t, l) for t in range(T) for l in tokens(n, t))) for n in rows}
    weight = {n: whole[n] ** 2 * D["steep"][n] for n in rows}
    a = {}
    for n in rows:
        group = group_of(n, rows)
        baseline = sum(weight[j] * RETURN[j] for j in group) / sum(weight[j] for j in group)
        center = avg([RETURN[j] for j in group])
        spread_of = math.sqrt(avg([(RETURN[j] - center) ** 2 for j in group]))
        a[n] = (RETURN[n] - baseline) / spread_of if spread_of > 1e-9 else 0.0
    return spread(a, rows), -sequence_mean(rows, lambda n, t, l: min(whole[n], c) * a[n] * p.logp[n, t, l]), None


def mis(p, rows):
    """A trajectory whose product exceeds 3 earns nothing, and its tokens still count."""
    a = spread(grpo_advantage(rows), rows)
    whole = {n: math.exp(sum(engines_apart(n, t, l) for t in range(T) for l in tokens(n, t))) for n in rows}
    weight = {n: w if w <= 3 else 0.0 for n, w in whole.items()}
    return a, -token_mean(rows, lambda n, t, l: weight[n] * ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)])), None


def ice_pop(p, rows):
    """k inside [.5, 5], 0 outside of it."""
    a = spread(grpo_advantage(rows), rows)

    def f(*c):
        k = math.exp(engines_apart(*c))
        return (k if 0.5 <= k <= 5 else 0.0) * ppo_clip(p.token_ratio(*c), a[c])

    return a, -sequence_mean(rows, f), None


def geo_rs(p, rows, lo=0.999, hi=1.001):
    """Trajectories leave loss and denominator where the geometric mean of their ratios is outside of the bounds."""
    a = spread(grpo_advantage(rows), rows)
    mean_log = {n: avg([engines_apart(n, t, l) for t in range(T) for l in tokens(n, t)]) for n in rows}
    kept = [n for n in rows if lo <= math.exp(mean_log[n]) <= hi]
    return a, -token_mean(kept, verl_clip(p, a)), None


def dr_grpo(p, rows):
    a = spread(centerd(rows), rows)
    total = sum(ppo_clip(p.token_ratio(*c), a[c]) for c in each(rows))
    return a, -total / (len(rows) * T * L), None


def dapo(p, rows):
    a = spread(grpo_advantage(rows), rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c], 0.2, 0.28)), None


def dapo_overlong(p, rows):
    a = spread(grpo_advantage(rows, [RETURN[n] + overlong(n, 6, 4) for n in range(N)]), rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c], 0.2, 0.28)), None


def gspo(p, rows):
    a = grpo_advantage(rows)
    return spread(a, rows), -sum(ppo_clip(p.sequence_geo(n), a[n], 3e-4, 4e-4) for n in rows) / len(rows), None


def sapo(p, rows):
    a = spread(grpo_advantage(rows), rows)

    def f(*c):
        tau = 1.0 if a[c] > 0 else 1.05
        return 4 / tau * torch.sigmoid(tau * (p.token_ratio(*c) - 1)) * a[c]

    return a, -sequence_mean(rows, f), None


def cispo(p, rows, lo=math.inf, hi=0.2):
    """The clipped ratio is a constant: the gradient is that of log pi alone."""
    a = spread(grpo_advantage(rows), rows)
    return a, -token_mean(rows, lambda *c: torch.clamp(p.token_ratio(*c), 1 - lo, 1 + hi).detach() * a[c] * p.logp[c]), None


def dppo(p, rows, kind, delta, cap=20.0):
    """The mask compares probabilities of the sampled token with all others, as two coins."""
    a = centerd(rows)

    def f(n, t, l):
        pi, mu = math.exp(p.logp[n, t, l].item()), math.exp(p.old[n, t, l].item())
        if kind == "tv":
            far = abs(pi - mu)
        else:
            others = max(1 - mu, 0.0)  # some of the old log-probs above are positive
            far = mu * math.log(mu / pi) + others * math.log((others + 1e-8) / (1 - pi + 1e-8))
        pushed = pi > mu if a[n] > 0 else pi < mu
        if pushed and far > delta:
            return 0.0 * p.logp[n, t, l]
        return min(pi / mu, cap) * a[n] * p.logp[n, t, l]

    return spread(a, rows), -sum(f(*c) for c in each(rows)) / (len(rows) * T * L), None


def sequence_log(p, n):
    return sum(p.turn_log(n, t) for t in turns_of(n))


def vespo(p, rows):
    """A constant for each trajectory, made of its density ratio, times the log-probs of its tokens."""
    a = grpo_advantage(rows)
    total = 0
    for n in rows:
        w = torch.exp(sequence_log(p, n)).item()
        k, lam = (2.0, 3.0) if a[n] >= 0 else (3.0, 2.0)
        phi = w**k * math.exp(lam * (1 - w))
        total = total + phi * a[n] * sum(p.logp[n, t, l] for t in turns_of(n) for l in tokens(n, t))
    return spread(a, rows), -total / len(each(rows)), None


def m2po(p, rows, tau):
    """The furthest token drops out until the mean square of the others is below tau."""
    a = spread(grpo_advantage(rows), rows)
    left = sorted(each(rows), key=lambda c: p.d(*c).item() ** 2)
    while len(left) > 1 and avg([p.d(*c).item() ** 2 for c in left]) >= tau:
        left.pop()
    return a, -sum(p.token_ratio(*c) * a[c] for c in left) / len(each(rows)), None


def off_policy_mask(p, rows, delta):
    a = spread(grpo_advantage(rows), rows)
    drift = {n: -sequence_log(p, n).item() / length(n) for n in rows}
    keep = lambda n, a: 0.0 if a < 0 and drift[n] > delta else 1.0
    return a, -sequence_mean(rows, lambda n, t, l: keep(n, a[(n, t, l)]) * ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)])), None


def fair_fspo(p, rows, band):
    """The log-ratio of a sequence is clipped to the band times the root of its length."""
    a = grpo_advantage(rows)
    total = 0
    for n in rows:
        s, b = sequence_log(p, n), band * math.sqrt(length(n))
        total = total + torch.minimum(torch.exp(s) * a[n], torch.exp(torch.clamp(s, -b, b)) * a[n])
    return spread(a, rows), -total / len(rows), None


def luspo(p, rows, lo=2e-3, hi=2.5e-3):
    a = grpo_advantage(rows)
    return spread(a, rows), -sum(length(n) * ppo_clip(p.sequence_geo(n), a[n], lo, hi) for n in rows) / len(rows), None


def dro(p, rows, beta):
    a = spread(grpo_advantage(rows), rows)
    return a, -token_mean(rows, lambda *c: a[c] * p.logp[c] - beta / 2 * p.d(*c) ** 2), None


def gmpo(p, rows, bound=0.4):
    """The geometric mean of min(w^s, clip(w^s, e^-b, e^b))^s, s the sign of the advantage, to the power 1/|o_i|."""
    a = grpo_advantage(rows)
    total = 0
    for n in rows:
        s = 1.0 if a[n] > 0 else -1.0
        product = 1.0
        for t in turns_of(n):
            for l in tokens(n, t):
                w = p.token_ratio(n, t, l) ** s
                product = product * torch.minimum(w, torch.clamp(w, math.exp(-bound), math.exp(bound))) ** s
        total = total + product ** (1 / length(n)) * a[n]
    return spread(a, rows), -total / len(rows), None


def m_grpo(p, rows):
    a = spread(grpo_advantage(rows, eps=1e-4), rows)
    total = 0
    for n in rows:
        ts = turns_of(n)
        total = total + sum(sum(ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)]) for l in tokens(n, t)) / len(tokens(n, t)) for t in ts) / len(ts)
    return a, -total / len(rows), None


def dr_mas(p, rows):
    a = dr_mas_advantage(rows)
    return a, -token_mean(rows, dual_clipped(p, a)), None


def sharp(p, rows):
    """Return plus step credit, normalized by task and agent."""
    a = dr_mas_advantage(rows, step=True)
    return a, -sequence_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def gigpo(p, rows, w=1.0, scaled=False):
    a = gigpo_advantage(rows, w, 0.95, scaled)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.01 * p.k3_ref(*c)), None


def graph_gpo_advantage(rows, w=1.0, omega=0.1, success=10.0, scaled=True):
    """Every turn of a group is an edge; a turn is worth more the shorter the way from its end to success, by Bellman-Ford."""
    worth, key = {}, {}
    for g in sorted(set(D["group"][n] for n in rows)):
        edges = []
        for n in [j for j in rows if D["group"][j] == g]:
            seen = D["observation"][n] + ["SUCCESS" if RETURN[n] > 0 else "FAILURE"]
            edges += [(n, t, seen[t], seen[t + 1]) for t in range(D["turnCount"][n])]
        far = {"SUCCESS": 0}
        for _ in edges:
            for _, _, a, b in edges:
                if b in far:
                    far[a] = min(far.get(a, math.inf), far[b] + 1)
        for n, t, a, b in edges:
            worth[(n, t)] = success * omega ** far.get(b, max(far.values()) + 1)
            key[(n, t)] = (g, a)
    out = {}
    for (n, t), x in worth.items():
        episode = [RETURN[j] for j in group_of(n, rows)]
        step = [worth[k] for k in worth if key[k] == key[(n, t)]]
        a_e, a_g = RETURN[n] - avg(episode), x - avg(step)
        if scaled:
            a_e /= std(episode) + EPS
            a_g = 0.0 if len(step) == 1 else a_g / (std(step) + EPS)
        out[(n, t)] = a_e + w * a_g
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def graph_gpo(p, rows, **o):
    a = graph_gpo_advantage(rows, **o)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.01 * p.k3_ref(*c)), None


def hcapo_advantage(rows, w=1.0, gamma=0.95, temperature=5.0, share=1.0):
    """GRPO's advantage plus that of the turn's discounted return, weighed in hindsight, among all turns of the group."""
    between, q = grpo_advantage(rows), {}
    for n in rows:
        last = D["turnCount"][n] - 1
        h = [math.exp(D["step"][n][t] / temperature) for t in range(last + 1)]
        own = [min(max(h[t] / avg(h), 0.8), 1.2) * gamma ** (last - t) * RETURN[n] for t in range(last + 1)]
        for t in range(last + 1):
            q[(n, t)] = share * own[t] + (1 - share) * own[min(t + 1, last)]
    out = {}
    for (n, t), x in q.items():
        xs = [q[k] for k in q if D["group"][k[0]] == D["group"][n]]
        micro = (x - avg(xs)) / (std(xs) + EPS)
        out[(n, t)] = between[n] + w * (max(0.0, micro) if RETURN[n] > 0 else micro)
    return turn_to_token({k: v for k, v in out.items() if tokens(*k)})


def hcapo(p, rows, **o):
    a = hcapo_advantage(rows, **o)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.01 * p.k3_ref(*c)), None


def tpo(p, rows, eta=1.0):
    """Cross-entropy to q ~ p_old exp(u / eta); its value is that of the advantages G (q - p) on the summed log-probs, its gradient its own."""
    whole = lambda of, n: sum(of(n, t, l) for t in range(T) for l in tokens(n, t))
    first, entropy, surrogate = {}, 0.0, 0.0
    for g in sorted(set(D["group"][n] for n in rows)):
        members = [n for n in rows if D["group"][n] == g]
        returns = [RETURN[n] for n in members]
        m = avg(returns)
        s = math.sqrt(avg([(x - m) ** 2 for x in returns]))
        u = torch.tensor([(x - m) / s if s > 1e-6 else 0.0 for x in returns])
        old = torch.stack([whole(lambda *c: p.old[c], n) for n in members])
        new = torch.stack([whole(lambda *c: p.logp[c], n) for n in members])
        q = torch.softmax(torch.log_softmax(old, 0) + u / eta, 0)
        log_p = torch.log_softmax(new, 0)
        size = len(members)
        entropy = entropy - size / len(rows) * (q * log_p).sum()
        surrogate = surrogate - size / len(rows) * ((q - log_p.exp()).detach() * new).sum()
        for k, n in enumerate(members):
            first[n] = size * (q[k] - torch.softmax(old, 0)[k]).item()
    return spread(first, rows), entropy + (surrogate - entropy).detach(), None


def tree_grpo(p, rows, w=1.0):
    """GRPO among the trajectories of a prompt plus GRPO among the leaves of a tree; alone in a tree: nothing."""
    between = grpo_advantage(rows)
    within = {}
    for n in rows:
        leaves = [RETURN[j] for j in rows if D["tree"][j] == D["tree"][n]]
        within[n] = 0.0 if len(leaves) == 1 else (RETURN[n] - avg(leaves)) / (std(leaves) + EPS)
    a = spread({n: between[n] + w * within[n] for n in rows}, rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.001 * p.k3_ref(*c)), None


def belief_advantage(rows, lam=0.5, band=0.2):
    """GRPO's advantage times (1 - lambda) + lambda m; m by the z-score of the turn's move of a belief, in log-odds from the group's mean."""
    a, out = grpo_advantage(rows), {}
    for n in rows:
        prior = min(max(avg([RETURN[j] for j in group_of(n, rows)]), 1e-4), 1 - 1e-4)
        log_odds, before, moves = math.log(prior / (1 - prior)), prior, []
        for t in range(D["turnCount"][n]):
            log_odds += D["step"][n][t]
            now = 1 / (1 + math.exp(-log_odds))
            moves.append(now - before)
            before = now
        m = avg(moves)
        s = math.sqrt(avg([(x - m) ** 2 for x in moves]))
        sign = (a[n] > 0) - (a[n] < 0)
        for t in range(D["turnCount"][n]):
            weight = min(max(1 + band * sign * (moves[t] - m) / (s + EPS), 1 - band), 1 + band)
            for l in tokens(n, t):
                out[n, t, l] = a[n] * ((1 - lam) + lam * weight)
    return out


def a2tgpo(p, rows, w=0.3, beta=0.3, lo=0.003, hi=0.004, gamma=1.0, same_turn=True, scaled=True):
    """Turns but the last by their gain among those of the same index; the clip of a turn is as wide as its gain says."""
    std_n = lambda xs: math.sqrt(avg([(x - avg(xs)) ** 2 for x in xs]))
    normal = lambda x, xs: (x - avg(xs)) / (std_n(xs) + 1e-6 if scaled else 1.0)
    z = {}
    for n in rows:
        for t in range(D["turnCount"][n] - 1):
            peers = [D["step"][j][s] for j in group_of(n, rows) for s in range(D["turnCount"][j] - 1) if s == t or not same_turn]
            z[(n, t)] = normal(D["step"][n][t], peers) if len(peers) > 1 else 0.0
    per_turn = {}
    for n in rows:
        outcome = normal(RETURN[n], [RETURN[j] for j in group_of(n, rows)])
        last = D["turnCount"][n] - 1
        for t in range(last):
            gained = sum(gamma ** (k - t) * z[(n, k)] for k in range(t, last))
            per_turn[(n, t)] = outcome + w * gained / math.sqrt(last - t)
        per_turn[(n, last)] = outcome
    a = turn_to_token(per_turn)

    def f(n, t, l):
        c = 1 + beta * (2 / (1 + math.exp(-z.get((n, t), 0.0))) - 1)
        return ppo_clip(p.turn_geo(n, t), a[(n, t, l)], c * lo, c * hi)

    return a, -token_mean(rows, f), None


def ccpo(p, rows):
    """Twice the return plus what the step says of the agent, minus the mean over the turns of the same task and agent."""
    key = lambda n, t: (D["group"][n], D["agent"][n][t])
    worth = {(n, t): 2 * RETURN[n] + D["step"][n][t] for n in rows for t in range(D["turnCount"][n])}
    mates = lambda n, t: [x for k, x in worth.items() if key(*k) == key(n, t)]
    a = turn_to_token({(n, t): x - (avg(mates(n, t)) if len(mates(n, t)) > 1 else 0.0) for (n, t), x in worth.items()})
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def carl(p, rows):
    """Forks at turn 1: a first turn is worth the mean of the ways to go on from it, a second one its own return."""
    goes_on = lambda tree: [j for j in rows if D["tree"][j] == tree and D["turnCount"][j] > 1]
    after = lambda tree: avg([RETURN[j] for j in goes_on(tree)]) if goes_on(tree) else RETURN[tree]
    trees = lambda n: sorted({D["tree"][j] for j in group_of(n, rows)})
    a, trained = {}, []
    for n in rows:
        tree = D["tree"][n]
        for t in turns_of(n):
            if t == 0:
                step = after(tree) - avg([after(k) for k in trees(n)])
            elif t == 1 and len(goes_on(tree)) > 1:
                step = RETURN[n] - after(tree)
            for l in tokens(n, t):
                a[(n, t, l)] = step
            if (t == 0 and n == tree and len(trees(n)) > 1) or (t == 1 and len(goes_on(tree)) > 1):
                trained.append((n, t))
    turn = lambda n, t: avg([ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)]) for l in tokens(n, t)])
    return a, -avg([turn(*c) for c in trained]), None


def agent_opsd(p, rows, lam=0.5, band=0.2):
    a = belief_advantage(rows, lam, band)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.01 * p.k3_ref(*c)), None


def hierarchical_grpo(p, rows):
    """All trees fork at turn 1. The first turn: the tree's mean among those of the group's trees; the others: R among its tree."""
    leaves = lambda tree: [RETURN[j] for j in rows if D["tree"][j] == tree]
    a = {}
    for n, t, l in each(rows):
        own = avg(leaves(D["tree"][n]))
        if t == 0 and len({D["tree"][j] for j in group_of(n, rows)}) < len(group_of(n, rows)):
            trees = sorted({D["tree"][j] for j in group_of(n, rows)})
            a[n, t, l] = own - avg([avg(leaves(tree)) for tree in trees])
        else:
            a[n, t, l] = RETURN[n] - own

    def f(*c):
        pi, mu = math.exp(p.logp[c].item()), math.exp(p.old[c].item())
        drift = 0.001 * (p.logp[c] - p.old[c]) ** 2
        if (pi - mu > 0.2) if a[c] > 0 else (mu - pi > 0.2):
            return -drift
        return pi / mu * a[c] * p.logp[c] - drift

    return a, -token_mean(rows, f), None


def c3(p, rows):
    """All trees fork at turn 1. The first turn: the tree's mean less the others'; the later ones: R less the mean of the tree's others."""
    leaves = lambda tree: [j for j in rows if D["tree"][j] == tree]
    left_out = lambda x, others: x - avg(others) if others else 0.0
    a = {}
    for n, t, l in each(rows):
        trees = sorted({D["tree"][j] for j in group_of(n, rows)})
        own = D["tree"][n]
        mean_of = lambda tree: avg([RETURN[j] for j in leaves(tree)])
        if t == 0 and len(trees) < len(group_of(n, rows)):
            a[n, t, l] = left_out(mean_of(own), [mean_of(tree) for tree in trees if tree != own])
        else:
            a[n, t, l] = left_out(RETURN[n], [RETURN[j] for j in leaves(own) if j != n])

    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def at2po(p, rows, by_surprise=True):
    """A turn has the mean value of what follows it in the tree, weighed by e^surprise; a leaf has GRPO's advantage, n in the std."""
    first = lambda n, t: D["tree"][n] if t == 0 and D["tree"][n] in rows else n  # all forks leave at turn 1
    leaf = {}
    for n in rows:
        xs = [RETURN[j] for j in group_of(n, rows)]
        m = avg(xs)
        leaf[n] = (RETURN[n] - m) / (math.sqrt(avg([(x - m) ** 2 for x in xs])) + EPS)

    def surprise(n, t):
        return -avg([p.old[n, t, l].item() for l in tokens(n, t)])

    def value(n, t):
        through = [j for j in rows if D["turnCount"][j] > t and first(j, t) == first(n, t)]
        after = sorted({first(j, t + 1) for j in through if D["turnCount"][j] > t + 1})
        if not after:
            return leaf[n]
        weights = [math.exp(surprise(j, t + 1)) if by_surprise else 1.0 for j in after]
        return sum(w * value(j, t + 1) for w, j in zip(weights, after)) / sum(weights)

    a = turn_to_token({(n, t): value(n, t) for n in rows for t in turns_of(n)})
    return a, -sequence_mean(rows, lambda n, t, l: ppo_clip(p.turn_geo(n, t), a[(n, t, l)], 0.003, 0.004)), None


def agent_prm(p, rows):
    """What the process reward says of the turn is its advantage."""
    a = turn_to_token({(n, t): D["step"][n][t] for n in rows for t in range(D["turnCount"][n]) if tokens(n, t)})
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def arpo(p, rows):
    """GRPO over whatever the rollout forked; tokens averaged over the batch."""
    a = spread(grpo_advantage(rows), rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def ppo(p, rows):
    a = whitened(token_gae(rows, 1.0, 1.0))
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def star_po(p, rows):
    """KL .001 (k1) in the reward."""
    a = whitened(token_gae(rows, 1.0, 1.0, lambda n, t, l: 0.001 * (p.old[n, t, l] - p.ref[n, t, l]).item()))
    f = lambda n, t, l: ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)]) + 0.001 * D["entropy"][n][t][l]
    return a, -token_mean(rows, f), None


def star_po_s(p, rows):
    a = whitened(token_gae(rows, 1.0, 1.0))
    f = lambda n, t, l: ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)], 0.2, 0.28) + 0.001 * D["entropy"][n][t][l]
    return a, -token_mean(rows, f), None


def bi_level(p, rows):
    a = whitened(bi_level_gae(rows, 0.9, 0.8, 0.95, 0.7))
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def hiper_loss(p, rows, a):
    """A subgoal's tokens are part of the loss only where a segment starts."""
    f = dual_clipped(p, a)
    trained = lambda n, t, l: D["role"][n][t][l] != 1 or t == turns_of(n)[0] or D["switch"][n][t] == 1
    cells = [c for c in each(rows) if trained(*c)]
    return -sum(f(*c) - 0.01 * p.k3_ref(*c) for c in cells) / len(cells)


def hiper_plain(p, rows):
    a = hiper_advantage(rows, 0.95, 0.9, 0.8)
    return a, hiper_loss(p, rows, a), None


def hiper(p, rows):
    """Each role is whitened over the turns that have it, a subgoal over those that start a segment."""
    a = hiper_advantage(rows, 0.95, 0.9, 0.8)
    for role in (0, 1, 2):
        of = lambda n, t: [l for l in tokens(n, t) if D["role"][n][t][l] == role]
        starts = lambda n, t: t == turns_of(n)[0] or D["switch"][n][t] == 1
        turns = [(n, t) for n in rows for t in turns_of(n) if of(n, t) and (role != 1 or starts(n, t))]
        for (n, t), x in whitened_by_n({(n, t): a[(n, t, of(n, t)[0])] for n, t in turns}, 1e-8).items():
            a.update({(n, t, l): x for l in of(n, t)})
    return a, hiper_loss(p, rows, a), None


def turn_ratio_loss(p, rows, a, ratio):
    """1/|y| sum over tokens, each with its turn's ratio."""
    return -sequence_mean(rows, lambda n, t, l: ppo_clip(ratio(n, t), a[(n, t, l)]))


def turn_bias(p, rows, a, ratio):
    f = lambda n, t, l: ratio(n, t) * a[(n, t, l)] if clipped_out(ratio(n, t), a[(n, t, l)]) else 0.0 * p.logp[n, t, l]
    return sequence_mean(rows, f)


def turn_ppo(p, rows):
    a = turn_to_token(whitened(turn_gae(rows, 1.0, 1.0)))
    return a, turn_ratio_loss(p, rows, a, p.turn_geo), None


def turn_ppo_arithmetic(p, rows):
    a = turn_to_token(whitened(turn_gae(rows, 1.0, 1.0)))
    return a, turn_ratio_loss(p, rows, a, p.turn_mean), None


def turn_ppo_product(p, rows):
    """A density ratio belongs to the turn as a whole: one term per turn, 1/|y| sum_k."""
    per_turn = whitened(turn_gae(rows, 1.0, 1.0))
    total = sum(sum(ppo_clip(p.turn_product(n, t), per_turn[(n, t)]) for t in turns_of(n)) / length(n) for n in rows)
    return turn_to_token(per_turn), -total / len(rows), None


def so_ppo(p, rows):
    a = turn_to_token(whitened(turn_gae(rows, 1.0, 1.0)))
    return a, turn_ratio_loss(p, rows, a, p.turn_geo), turn_bias(p, rows, a, p.turn_geo)


def s_ppo(p, rows):
    a = whitened(token_gae(rows, 1.0, 1.0))
    loss = -sequence_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]))
    f = lambda n, t, l: p.token_ratio(n, t, l) * a[(n, t, l)] if clipped_out(p.token_ratio(n, t, l), a[(n, t, l)]) else 0.0 * p.logp[n, t, l]
    return a, loss, sequence_mean(rows, f)


def so_grpo(p, rows):
    a = spread(grpo_advantage(rows), rows)
    return a, turn_ratio_loss(p, rows, a, p.turn_geo), turn_bias(p, rows, a, p.turn_geo)


def so_grpo_notes(p, rows):
    """lambda * clip fraction * KL(new || old), arithmetic ratio, turn rewards normalized per turn index."""
    a = per_turn_advantage(rows, False, True, 2)
    cells = each(rows)
    fraction = sum(outside(p.turn_mean(n, t)) for (n, t, l) in cells) / len(cells)
    return a, turn_ratio_loss(p, rows, a, p.turn_mean) + 0.5 * fraction * sequence_mean(rows, p.k3_old), None


def cm2(p, rows):
    a = per_turn_advantage(rows, True, False, 3)
    return a, -sequence_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def igpo(p, rows):
    a = igpo_advantage(rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def factuality_fspo(p, rows):
    """The step's own number stands for the verdict: only its sign counts."""
    whole = grpo_advantage(rows)
    flipped = lambda n, t: whole[n] if D["step"][n][t] * whole[n] >= 0 else -whole[n]
    a = turn_to_token({(n, t): flipped(n, t) for n in rows for t in turns_of(n)})
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def rl_anything(p, rows):
    """Outcome plus vote, normalized over the group at the same turn with n in the variance; who is alone there keeps it."""
    credit = {(n, t): RETURN[n] + D["step"][n][t] for n in rows for t in range(D["turnCount"][n])}
    per_turn = {}
    for (n, t), c in credit.items():
        xs = [credit[(j, s)] for (j, s) in credit if s == t and D["group"][j] == D["group"][n]]
        if not tokens(n, t):
            continue
        if len(xs) == 1:
            per_turn[(n, t)] = c
            continue
        m = avg(xs)
        s = math.sqrt(avg([(x - m) ** 2 for x in xs]))
        per_turn[(n, t)] = 0.0 if s <= 1e-8 else (c - m) / (s + 1e-8)
    a = turn_to_token(per_turn)
    loss = 0.0
    for n in rows:
        for t in turns_of(n):
            loss = loss + sum(ppo_clip(p.token_ratio(n, t, l), a[(n, t, l)]) for l in tokens(n, t)) / len(tokens(n, t))
    return a, -loss / sum(len(turns_of(n)) for n in rows), None


def i_star(p, rows, among_first=False):
    """RLOO of the episode plus RLOO of the step among all turns of the group, or among first turns as the code has it."""
    episode = leave_one_out(rows)
    per_turn = {}
    for n in rows:
        steps = [(j, t) for j in group_of(n, rows) for t in range(D["turnCount"][j])]
        among = [(j, t) for (j, t) in steps if t == 0] if among_first else steps
        k = len(among)
        for t in turns_of(n):
            m = avg([D["step"][j][s] for (j, s) in among])
            per_turn[(n, t)] = episode[n] + k / (k - 1) * (D["step"][n][t] - m)
    a = turn_to_token(per_turn)
    return a, -token_mean(rows, dual_clipped(p, a)), None


def step_po(p, rows):
    per_turn = whitened(turn_gae(rows, 1.0, 1.0))
    total = sum(ppo_clip(p.turn_geo(n, t), per_turn[(n, t)]) for (n, t) in per_turn)
    return turn_to_token(per_turn), -total / len(per_turn), None


def dual_clip(p, rows):
    a = spread(grpo_advantage(rows), rows)

    def f(*c):
        inner = ppo_clip(p.token_ratio(*c), a[c])
        return torch.maximum(inner, torch.tensor(1.5 * a[c])) if a[c] < 0 else inner

    return a, -sequence_mean(rows, f), None


def max_rl(p, rows):
    a = spread(max_rl_advantage(rows), rows)
    return a, -token_mean(rows, dual_clipped(p, a)), None


def max_rl_authors(p, rows):
    """The authors' 1e-6 beside the mean."""
    a = spread(max_rl_advantage(rows, 1e-6), rows)
    return a, -token_mean(rows, dual_clipped(p, a)), None


def sum_of_log_probs(p, rows, a):
    return -sum(a[c] * p.logp[c] for c in each(rows)) / len(rows)


def opo(p, rows):
    a = spread(opo_advantage(rows), rows)
    return a, sum_of_log_probs(p, rows, a), None


def reinforce_pp_baseline(p, rows):
    a = token_whitened_advantage(rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def grpo_passk(p, rows):
    a = spread(best_advantage(rows), rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def gpg(p, rows):
    """alpha / B times the sum over all B, of whom those in groups without a spread, M, have no advantage; alpha = B / (B - M)."""
    a = spread(centerd(rows), rows)
    alpha = N / len(rows)
    each_mean = [sum(a[n, t, l] * p.logp[n, t, l] for t in range(T) for l in tokens(n, t)) / length(n) for n in rows]
    return a, -alpha / N * sum(each_mean), None


def by_step(p, rows):
    """The step reward, minus a baseline, is added to the return."""
    a = {(n, t, l): RETURN[n] + D["step"][n][t] for n, t, l in each(rows)}
    return a, sum_of_log_probs(p, rows, a), None


def rae(p, rows):
    """The same, with the clipped ratio and the constant denominator of Dr. GRPO."""
    a, _, _ = by_step(p, rows)
    return a, -sum(ppo_clip(p.token_ratio(*c), a[c]) for c in each(rows)) / (len(rows) * T * L), None


def turn_loo(p, rows):
    a = turn_loo_advantage(rows)
    return a, sum_of_log_probs(p, rows, a), None


def last_reward(n):
    return D["reward"][n][D["turnCount"][n] - 1]


def earlier_rewards(n):
    return sum(D["reward"][n][: D["turnCount"][n] - 1])


def gdpo(p, rows, more=()):
    a = spread(gdpo_advantage(rows, [last_reward, earlier_rewards, *more]), rows)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def gdpo_overlong(p, rows):
    """The penalty on length is a part by itself."""
    return gdpo(p, rows, [lambda n: overlong(n, 6, 4)])


def optimal_token(p, rows):
    a = optimal_token_advantage(p, rows)
    return a, sum_of_log_probs(p, rows, a), None


def mt_grpo(p, rows, weight=1.0):
    a = mt_grpo_advantage(rows, weight, 1e-4)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c])), None


def hgpo(p, rows, history=2, alpha=1.0, scaled=True):
    a = hgpo_advantage(rows, history, alpha, 0.95, scaled)
    return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) - 0.01 * p.k3_ref(*c)), None


def covariances(p, rows, a):
    """Each token's part of cov(A, log pi), both centerd over the tokens of the batch."""
    cells = each(rows)
    mean_a, mean_log = avg([a[c] for c in cells]), avg([p.logp[c].item() for c in cells])
    return {c: (a[c] - mean_a) * (p.logp[c].item() - mean_log) for c in cells}


def clip_cov(share=2e-4, least=1.0, most=5.0):
    """Clip-Cov: of the tokens within the bounds that the clip has not met, so many (here the first) have no loss."""

    def run(p, rows):
        a = spread(grpo_advantage(rows), rows)
        cov = covariances(p, rows, a)
        bound = lambda c: clipped_out(p.token_ratio(*c), a[c], 0.99, 1.0)
        candidates = [c for c in each(rows) if least < cov[c] < most and not bound(c)]
        out = set(candidates[: max(1, int(share * len(cov)))])
        return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c], 0.99, 1.0) * (c not in out)), None

    return run


def kl_cov(share=2e-3, beta=1.0):
    """KL-Cov: the tokens of the largest covariance pay for |log r|; nothing is clipped."""

    def run(p, rows):
        a = spread(grpo_advantage(rows), rows)
        cov = covariances(p, rows, a)
        top = set(sorted(cov, key=lambda c: -cov[c])[: max(1, int(share * len(cov)))])
        return a, -token_mean(rows, lambda *c: p.token_ratio(*c) * a[c] - beta * torch.abs(p.d(*c)) * (c in top)), None

    return run


def high_entropy(rho):
    """The objective of the tokens in the top rho by entropy; all tokens in the denominator."""

    def run(p, rows):
        a = spread(grpo_advantage(rows), rows)
        h = {(n, t, l): D["entropy"][n][t][l] for (n, t, l) in each(rows)}
        threshold = torch.quantile(torch.tensor(list(h.values())), 1 - rho).item()
        return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c], 0.2, 0.28) * (h[c] >= threshold)), None

    return run


def adaptive_entropy(coef):
    """The bonus as the controller has left it: no gradient reaches log pi, but the loss has it."""

    def run(p, rows):
        a = spread(grpo_advantage(rows), rows)
        return a, -token_mean(rows, lambda *c: ppo_clip(p.token_ratio(*c), a[c]) + coef * D["entropy"][c[0]][c[1]][c[2]]), None

    return run


# ---------------------------------------------------------------- sequential algorithms
def sequential(old, schedule, advantage, turn_loss, ratio_after):
    """Turn by turn: loss and gradient under the running M, then M times the ratio after the step."""
    p = Policy(old)
    m = {n: 1.0 for n in ALL}
    steps = []
    for t in schedule:
        loss = turn_loss(p, t, {n: m[n] for n in ALL}, advantage)
        (gradient,) = torch.autograd.grad(loss, p.logp)
        for n in ALL:
            if tokens(n, t):
                m[n] = ratio_after(n, t, old, m[n])
        steps.append({"turn": t, "loss": loss.item(), "gradient": gradient.flatten().tolist(), "carry": [m[n] for n in ALL]})
    return steps


def after_difference(n, t, old):
    return [D["after"][n][t][l] - D[old][n][t][l] for l in tokens(n, t)]


def exact_product(n, t, old, m):
    return math.exp(sum(after_difference(n, t, old))) * m


def clip_twice(n, t, old, m):
    clip = lambda x: min(max(x, 0.8), 1.2)
    return clip(clip(math.exp(avg(after_difference(n, t, old)))) * m)


def see_upo_theory(old):
    a = centerd(ALL)

    def turn_loss(p, t, m, a):
        terms = [ppo_clip(p.turn_product(n, t), m[n] * a[n]) for n in ALL if tokens(n, t)]
        return -sum(terms) / N  # trajectories that ended earlier are padded with no-ops, which have no gradient

    return spread(a, ALL), sequential(old, [2, 1, 0], a, turn_loss, exact_product)


def see_upo_authors(old):
    a = {n: max(-3.0, min(3.0, x)) for n, x in whitened(centerd(ALL)).items()}

    def turn_loss(p, t, m, a):
        rows = [n for n in ALL if tokens(n, t)]
        per_row = [
            sum(ppo_clip(p.turn_geo(n, t), m[n] * a[n]) - 0.002 * p.k3_ref(n, t, l) for l in tokens(n, t)) / len(tokens(n, t))
            for n in rows
        ]
        return -sum(per_row) / len(rows)

    return spread(a, ALL), sequential(old, [2, 1, 0], a, turn_loss, clip_twice)


def happo(old, schedule):
    """The factor multiplies min(surr1, surr2) from outside; any order of agents; the mean over those who act."""
    per_turn = whitened_by_n(turn_gae(ALL, 1.0, 1.0), 1e-5)

    def turn_loss(p, t, m, a):
        terms = [m[n] * ppo_clip(p.turn_product(n, t), a[(n, t)]) for n in ALL if tokens(n, t)]
        return -sum(terms) / len(terms)

    return turn_to_token(per_turn), sequential(old, schedule, per_turn, turn_loss, exact_product)


# ---------------------------------------------------------------- fixture
def flat(values, rows):
    out = [0.0] * (N * T * L)
    for (n, t, l), a in values.items():
        out[(n * T + t) * L + l] = a
    return out


def kept_by_variance():
    return [n for n in ALL if len({round(RETURN[j], 9) for j in group_of(n, ALL)}) > 1]


def kept_top():
    spread_of = {g: math.sqrt(avg([(RETURN[j] - avg([RETURN[k] for k in ALL if D["group"][k] == g])) ** 2 for j in ALL if D["group"][j] == g])) for g in set(D["group"])}
    best = max(spread_of, key=lambda g: spread_of[g])
    return [n for n in ALL if D["group"][n] == best]


def kept_top_p(p):
    """The head of the groups by deviation (n - 1) whose deviations sum to at least p of all, less .01."""
    spread_of = {g: std([RETURN[j] for j in ALL if D["group"][j] == g]) for g in set(D["group"])}
    kept, held = [], 0.0
    for g in sorted(spread_of, key=lambda g: (-spread_of[g], g)):
        if held >= p * sum(spread_of.values()) - 0.01 or spread_of[g] < 1e-12:
            break
        kept.append(g)
        held += spread_of[g]
    return [n for n in ALL if D["group"][n] in kept]


def case(recipe, overrides, run, old, rows=ALL):
    p = Policy(old)
    advantage, loss, bias = run(p, rows)
    (gradient,) = torch.autograd.grad(loss, p.logp, retain_graph=True)
    out = {"recipe": recipe, "overrides": overrides, "old": old, "rows": rows, "loss": loss.item(), "advantage": flat(advantage, rows), "gradient": gradient.flatten().tolist()}
    if bias is not None:
        (c,) = torch.autograd.grad(bias, p.logp)
        norm = c.norm().item()
        out["clipBias"] = c.flatten().tolist()
        floor = overrides.get("regularizer", {}).get("clippingTriggered", {}).get("floor", 1.0)
        out["scaledGradient"] = (gradient / max(floor, norm)).flatten().tolist()
    return out


def main():
    kl = lambda coef, estimator: {"regularizer": {"klReference": {"coef": coef, "estimator": estimator}}}
    plain = [
        ("reinforce", {}, reinforce),
        ("reinforce", {"advantage": "mean"}, reinforce_baseline),
        ("reinforcePlusPlus", {}, reinforce_pp),
        ("reinforcePlusPlus", {"reward": {"kl": {"coef": 0.3, "estimator": "k1"}}}, reinforce_pp_kl),
        ("ppo", {"reward": {"kl": {"coef": 0.3, "estimator": "k3"}}, "advantage": {"gamma": 0.9, "lambda": 0.8}}, ppo_kl),
        ("rloo", {}, rloo),
        ("loop", {}, loop),
        ("grpo", {}, grpo),
        ("verlGrpo", {}, verl_grpo),
        ("grpo", kl(0.04, "k3"), grpo_kl),
        ("grpo", {"gate": {"kind": "dualClip", "dualClip": 1.5}}, dual_clip),
        ("grpo", {"advantage": {"kind": "perTurn", "credit": "rewardToGo", "minGroup": 3}, "scale": "none"}, cm2),
        ("tis", {}, tis),
        ("tis", {"correction": {"level": "turn"}}, lambda p, rows: tis(p, rows, "turn")),
        ("tis", {"correction": {"level": "trajectory", "high": None}}, lambda p, rows: tis(p, rows, "trajectory", math.inf)),
        ("vcpo", {}, vcpo),
        ("vcpo", {"correction": {"high": 1.2}}, lambda p, rows: vcpo(p, rows, 1.2)),
        ("mis", {}, mis),
        ("icePop", {}, ice_pop),
        ("geoRs", {"correction": {"low": 0.8, "high": 1.2}}, lambda p, rows: geo_rs(p, rows, 0.8, 1.2)),
        ("drGrpo", {}, dr_grpo),
        ("gspo", {}, gspo),
        ("sapo", {}, sapo),
        ("mGrpo", {}, m_grpo),
        ("cispo", {}, cispo),
        ("cispo", {"gate": {"clipLow": 0.3, "clipHigh": 0.4}}, lambda p, rows: cispo(p, rows, 0.3, 0.4)),
        ("dppoTv", {}, lambda p, rows: dppo(p, rows, "tv", 0.15)),
        ("dppoKl", {}, lambda p, rows: dppo(p, rows, "kl", 0.05)),
        ("dppoTv", {"gate": {"deltaLow": 1, "deltaHigh": 1, "cap": 1.5}}, lambda p, rows: dppo(p, rows, "tv", 1, 1.5)),
        ("vespo", {}, vespo),
        ("m2po", {}, lambda p, rows: m2po(p, rows, 0.04)),
        ("m2po", {"gate": {"tau": 0.15}}, lambda p, rows: m2po(p, rows, 0.15)),
        ("offPolicyMask", {}, lambda p, rows: off_policy_mask(p, rows, 0.5)),
        ("offPolicyMask", {"gate": {"delta": 0.02}}, lambda p, rows: off_policy_mask(p, rows, 0.02)),
        ("fairFspo", {}, lambda p, rows: fair_fspo(p, rows, 0.2)),
        ("luspo", {}, luspo),
        ("luspo", {"gate": {"clipLow": 0.2, "clipHigh": 0.3}}, lambda p, rows: luspo(p, rows, 0.2, 0.3)),
        ("dro", {}, lambda p, rows: dro(p, rows, 0.1)),
        ("dro", {"gate": {"beta": 2}}, lambda p, rows: dro(p, rows, 2)),
        ("gmpo", {}, gmpo),
        ("gmpo", {"gate": {"logLow": 0.1, "logHigh": 0.1}}, lambda p, rows: gmpo(p, rows, 0.1)),
        ("drMas", {}, dr_mas),
        ("sharp", {}, sharp),
        ("gigpo", {}, gigpo),
        ("gigpo", {"advantage": {"weight": 0.5}, "scale": "group"}, lambda p, rows: gigpo(p, rows, 0.5, True)),
        ("treeGrpo", {}, tree_grpo),
        ("treeGrpo", {"advantage": {"weight": 0.5}}, lambda p, rows: tree_grpo(p, rows, 0.5)),
        ("arpo", {}, arpo),
        ("at2po", {}, at2po),
        ("at2po", {"advantage": {"weigh": "evenly"}}, lambda p, rows: at2po(p, rows, False)),
        ("agentPrm", {}, agent_prm),
        ("ppo", {}, ppo),
        ("ppo", {"advantage": {"kind": "biLevelGae", "gamma": 0.9, "lambda": 0.8, "gammaTurn": 0.95, "lambdaTurn": 0.7}}, bi_level),
        ("hiper", {"advantage": {"gamma": 0.95, "lambdaTurn": 0.9, "lambdaSegment": 0.8}}, hiper),
        ("hiper", {"advantage": {"gamma": 0.95, "lambdaTurn": 0.9, "lambdaSegment": 0.8, "whitenRoles": False}}, hiper_plain),
        ("starPo", {}, star_po),
        ("turnPpo", {}, turn_ppo),
        ("turnPpo", {"ratio": {"pooling": "arithmetic"}}, turn_ppo_arithmetic),
        ("turnPpo", {"ratio": {"pooling": "product"}}, turn_ppo_product),
        ("sPpo", {}, s_ppo),
        ("sPpo", {"regularizer": {"clippingTriggered": {"floor": 0.05}}}, s_ppo),
        ("soPpo", {}, so_ppo),
        ("soGrpo", {}, so_grpo),
        (
            "soGrpo",
            {
                "advantage": {"kind": "perTurn", "credit": "reward", "minGroup": 2},
                "ratio": {"pooling": "arithmetic"},
                "regularizer": {"clippingTriggered": {"kind": "klPenalty", "lambda": 0.5, "estimator": "k3"}},
            },
            so_grpo_notes,
        ),
        ("stepPo", {}, step_po),
        ("igpo", {}, igpo),
        ("rlPlus", {}, rl_plus),
        ("pacedRl", {}, paced_rl),
        ("onPolicyDistillation", {}, on_policy_distillation),
        ("onPolicyDistillation", {"advantage": {"gamma": 0.5}}, lambda p, rows: on_policy_distillation(p, rows, 0.5)),
        ("opsd", {}, opsd),
        ("echo", {}, echo),
        ("factualityFspo", {}, factuality_fspo),
        ("iStar", {}, i_star),
        ("iStar", {"advantage": {"among": "firstTurns"}}, lambda p, rows: i_star(p, rows, True)),
        ("maxRl", {}, max_rl),
        ("maxRl", {"scale": {"epsilon": 1e-6}}, max_rl_authors),
        ("opo", {}, opo),
        ("reinforcePlusPlusBaseline", {}, reinforce_pp_baseline),
        ("grpoPassK", {}, grpo_passk),
        ("reMax", {}, by_step),
        ("rae", {}, rae),
        ("hierarchicalGrpo", {}, hierarchical_grpo),
        ("c3", {}, c3),
        ("agentOpsd", {}, agent_opsd),
        ("agentOpsd", {"advantage": {"weight": 1, "band": 0.9}}, lambda p, rows: agent_opsd(p, rows, 1.0, 0.9)),
        ("graphGpo", {}, graph_gpo),
        ("graphGpo", {"advantage": {"weight": 0.5, "omega": 0.4, "success": 2}, "scale": "none"}, lambda p, rows: graph_gpo(p, rows, w=0.5, omega=0.4, success=2.0, scaled=False)),
        ("hcapo", {}, hcapo),
        ("hcapo", {"advantage": {"share": 0.5, "temperature": 0.5, "gamma": 0.7}}, lambda p, rows: hcapo(p, rows, share=0.5, temperature=0.5, gamma=0.7)),
        ("tpo", {}, tpo),
        ("a2tgpo", {}, a2tgpo),
        ("a2tgpo", {"gate": {"clipLow": 0.2, "clipHigh": 0.25, "spread": 0.9}, "advantage": {"weight": 1, "gamma": 0.5, "among": "allTurns"}, "scale": "none"}, lambda p, rows: a2tgpo(p, rows, 1.0, 0.9, 0.2, 0.25, 0.5, False, False)),
        ("a2tgpo", {"gate": {"clipLow": 0.2, "clipHigh": 0.25, "spread": 1}}, lambda p, rows: a2tgpo(p, rows, 0.3, 1.0, 0.2, 0.25)),
        ("ccpo", {}, ccpo),
        ("carl", {}, carl),
        ("tpo", {"advantage": {"eta": 0.3}}, lambda p, rows: tpo(p, rows, 0.3)),
        ("gdpo", {}, gdpo),
        ("gdpo", {"reward": {"overlong": {"maxLength": 6, "buffer": 4}}}, gdpo_overlong),
        ("optimalToken", {}, optimal_token),
        ("perTurnLoo", {}, turn_loo),
        ("mtGrpo", {}, mt_grpo),
        ("mtGrpo", {"advantage": {"weight": 0.5}}, lambda p, rows: mt_grpo(p, rows, 0.5)),
        ("hgpo", {}, hgpo),
        ("hgpo", {"advantage": {"history": 1, "alpha": 2}, "scale": "none"}, lambda p, rows: hgpo(p, rows, 1, 2.0, False)),
    ]
    cases = [case(name, overrides, run, old) for old in ("oldFar", "oldNear") for (name, overrides, run) in plain]
    varied, top = kept_by_variance(), kept_top()
    for old in ("oldFar", "oldNear"):
        cases.append(case("dapo", {}, dapo, old, varied))
        cases.append(case("gpg", {}, gpg, old, varied))
        cases.append(case("dapo", {"reward": {"overlong": {"maxLength": 6, "buffer": 4}}}, dapo_overlong, old, varied))
        cases.append(case("rlAnything", {}, rl_anything, old, varied))
        cases.append(case("clipCov", {}, clip_cov(), old, varied))
        wide = {"kind": "clip", "share": 0.2, "least": 0.1, "most": 0.6}
        cases.append(case("clipCov", {"regularizer": {"covariance": wide}}, clip_cov(0.2, 0.1, 0.6), old, varied))
        cases.append(case("klCov", {}, kl_cov(), old, varied))
        many = {"kind": "penalty", "share": 0.3, "coef": 0.5}
        cases.append(case("klCov", {"regularizer": {"covariance": many}}, kl_cov(0.3, 0.5), old, varied))
        cases.append(case("highEntropy", {}, high_entropy(0.2), old, varied))
        cases.append(case("highEntropy", {"regularizer": {"entropyShare": 0.55}}, high_entropy(0.55), old, varied))
        cases.append(case("adaptiveEntropy", {}, adaptive_entropy(0.0), old, varied))
        cases.append(case("adaptiveEntropy", {"regularizer": {"entropyCoef": 0.03}}, adaptive_entropy(0.03), old, varied))
        cases.append(case("starPoS", {}, star_po_s, old, top))
        cases.append(case("ragenTopP", {}, star_po_s, old, kept_top_p(0.9)))
        cases.append(case("ragenTopP", {"filter": {"p": 0.4}}, star_po_s, old, kept_top_p(0.4)))
    turns = []
    for old in ("oldFar", "oldNear"):
        for name, (advantage, steps) in {
            "seeUpo": see_upo_theory(old),
            "seeUpoAuthors": see_upo_authors(old),
            "happo": happo(old, [1, 2, 0]),
        }.items():
            turns.append({"recipe": name, "old": old, "advantage": flat(advantage, ALL), "steps": steps})
    path = pathlib.Path(__file__).parent / "fixture.json"
    short = lambda x: float(f"{x:.10g}") if isinstance(x, float) else [short(y) for y in x] if isinstance(x, list) else {k: short(v) for k, v in x.items()} if isinstance(x, dict) else x
    path.write_text(json.dumps(short({"shape": [N, T, L], "data": D, "cases": cases, "sequential": turns}), separators=(",", ":")) + "\n")
    print(f"{len(cases)} cases, {len(turns)} sequential cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
