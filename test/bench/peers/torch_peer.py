"""The same updates and rollouts in PyTorch, asked for line by line on stdin; see peer.ts.

python torch_peer.py SPEC.json  where SPEC.json names the work and a file with the weights.
"""

import json
import math
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(0)


def load(spec):
    """Weights by name, as leaves that require a gradient."""
    flat = np.fromfile(spec["weights"], dtype=np.float32)
    weights, next_ = {}, 0
    for row in spec["table"]:
        count = int(np.prod(row["shape"]))
        block = flat[next_ : next_ + count].reshape(row["shape"]).copy()
        weights[row["name"]] = torch.from_numpy(block).requires_grad_()
        next_ += count
    return weights


def mlp(w, spec, tokens):
    """tokens [N, window], latest first -> hidden [N, 1, width]"""
    places = torch.arange(spec["window"]) * spec["tokenCount"]
    x = F.embedding_bag(tokens + places, w["embedding"], mode="sum")
    h1 = torch.tanh(x + w["bias1"])
    return torch.tanh(torch.addmm(w["bias2"], h1, w["weight2"])).unsqueeze(1)


def gru(w, spec, tokens):
    """tokens [B, P] -> hidden [B, P, width]"""
    names = ("update", "reset", "candidate")
    xz, xr, xn = (F.embedding(tokens, w[f"embedding-{g}"]) + w[f"bias-{g}"] for g in names)
    u = torch.cat([w[f"state-{g}"] for g in names], dim=1)
    width = spec["width"]
    h = torch.zeros(tokens.shape[0], width)
    out = []
    for p in range(tokens.shape[1]):
        hz, hr, hn = (h @ u).split(width, dim=1)
        z = torch.sigmoid(xz[:, p] + hz)
        n = torch.tanh(xn[:, p] + torch.sigmoid(xr[:, p] + hr) * hn)
        h = n + z * (h - n)
        out.append(h)
    return torch.stack(out, dim=1)


def norm(x, gain):
    return F.layer_norm(x, gain.shape, gain, None, 1e-5)


def heads_of(x, heads):
    b, p, width = x.shape
    return x.view(b, p, heads, width // heads).transpose(1, 2)


def transformer(w, spec, tokens, cache=None, first=0):
    """tokens [B, P] -> hidden [B, P, width]; with a cache, keys and values of earlier places are in it."""
    b, p = tokens.shape
    place = spec["firstPlace"] + first
    x = F.embedding(tokens, w["embedding"]) + w["place"][place : place + p]
    for i in range(spec["layers"]):
        y = norm(x, w[f"{i}-norm1"])
        q, k, v = (heads_of(y @ w[f"{i}-{name}"], spec["heads"]) for name in ("query", "key", "value"))
        if cache is not None:
            cache[i][0][:, :, first : first + p] = k
            cache[i][1][:, :, first : first + p] = v
            k, v = cache[i][0][:, :, : first + p], cache[i][1][:, :, : first + p]
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=p > 1)
        x = x + mixed.transpose(1, 2).reshape(b, p, -1) @ w[f"{i}-out"]
        y = norm(x, w[f"{i}-norm2"])
        x = x + torch.relu(y @ w[f"{i}-up"] + w[f"{i}-bias"]) @ w[f"{i}-down"]
    return norm(x, w["norm"])


NETWORKS = {"mlp": mlp, "gru": gru, "transformer": transformer}


def loss_of(w, spec, tokens, chosen, old, advantage):
    """Token-wise clip of .2, mean over tokens."""
    hidden = NETWORKS[spec["kind"]](w, spec, tokens)
    logits = hidden @ w["out"] + w["out-bias"]
    log_prob = F.log_softmax(logits, dim=-1).gather(-1, chosen.unsqueeze(-1)).squeeze(-1)
    ratio = torch.exp(log_prob - old)
    objective = torch.minimum(ratio * advantage, torch.clamp(ratio, 0.8, 1.2) * advantage)
    return -objective.mean()


class Update:
    def __init__(self, spec, compiled):
        self.spec = spec
        self.weights = load(spec)
        n = spec["sequences"]
        self.arrays = {
            "tokens": np.array(spec["tokens"], dtype=np.int64).reshape(n, -1),
            "chosen": np.array(spec["chosen"], dtype=np.int64).reshape(n, -1),
            "old": np.array(spec["old"], dtype=np.float32).reshape(n, -1),
            "advantage": np.array(spec["advantage"], dtype=np.float32).reshape(n, -1),
        }
        self.optimizer = torch.optim.Adam(
            list(self.weights.values()), lr=spec["learningRate"], betas=(0.9, 0.999), eps=1e-8, fused=True
        )
        self.loss = torch.compile(loss_of) if compiled else loss_of

    def step(self):
        batch = [torch.from_numpy(self.arrays[name]) for name in ("tokens", "chosen", "old", "advantage")]
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(self.weights, self.spec, *batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights.values(), self.spec["maxGradNorm"], foreach=True)
        self.optimizer.step()
        return loss.item()


@torch.inference_mode()
def rollout(w, spec, batch, cached):
    """Tokens drawn one after the other after a start token; gives how many."""
    length = spec["length"]
    tokens = torch.full((batch, 1), spec["tokenCount"] - 1)
    if spec["kind"] == "transformer":
        size = (batch, spec["heads"], length, spec["width"] // spec["heads"])
        cache = [(torch.zeros(size), torch.zeros(size)) for _ in range(spec["layers"])] if cached else None
    state = torch.zeros(batch, spec["width"])
    names = ("update", "reset", "candidate")
    u = torch.cat([w[f"state-{g}"] for g in names], dim=1) if spec["kind"] == "gru" else None
    for place in range(length):
        if spec["kind"] == "gru" and cached:
            latest = tokens[:, -1]
            xz, xr, xn = (w[f"embedding-{g}"][latest] + w[f"bias-{g}"] for g in names)
            hz, hr, hn = (state @ u).split(spec["width"], dim=1)
            z = torch.sigmoid(xz + hz)
            n = torch.tanh(xn + torch.sigmoid(xr + hr) * hn)
            state = n + z * (state - n)
            hidden = state
        elif spec["kind"] == "gru":
            hidden = gru(w, spec, tokens)[:, -1]
        elif cached:
            hidden = transformer(w, spec, tokens[:, -1:], cache, place)[:, -1]
        else:
            hidden = transformer(w, spec, tokens)[:, -1]
        log_prob = F.log_softmax(hidden @ w["out"] + w["out-bias"], dim=-1)
        drawn = torch.multinomial(log_prob.exp(), 1)
        log_prob.gather(1, drawn).numpy()
        tokens = torch.cat([tokens, drawn], dim=1)
    return batch * length


def main():
    with open(sys.argv[1], encoding="utf8") as file:
        specs = json.load(file)
    weights = {}
    updates = {}
    for line in sys.stdin:
        ask = json.loads(line)
        torch.set_num_threads(ask["threads"])
        spec = specs[ask["work"]]
        times, processor, losses = [], [], []
        if spec["task"] == "update":
            key = (ask["work"], ask["compiled"], ask["threads"])
            if key not in updates:
                updates[key] = Update(spec, ask["compiled"])
            for _ in range(ask["repetitions"]):
                begin, worked = time.perf_counter(), time.process_time()
                losses.append(updates[key].step())
                times.append(1000 * (time.perf_counter() - begin))
                processor.append(1000 * (time.process_time() - worked))
        else:
            w = weights.setdefault(ask["work"], load(spec))
            for _ in range(ask["repetitions"]):
                begin, worked = time.perf_counter(), time.process_time()
                rollout(w, spec, ask["batch"], ask["cached"])
                times.append(1000 * (time.perf_counter() - begin))
                processor.append(1000 * (time.process_time() - worked))
        assert all(math.isfinite(x) for x in losses)
        with open("/proc/self/statm", encoding="utf8") as file:
            memory = int(file.read().split()[1]) * 4096 / 1e6
        print(json.dumps({"times": times, "processor": processor, "losses": losses, "memory": memory}), flush=True)


main()
