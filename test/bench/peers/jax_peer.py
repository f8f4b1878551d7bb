"""The same updates in JAX under jit, asked for line by line on stdin; see peer.ts."""

import json
import os
import sys
import time

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax
import jax.numpy as jnp
import numpy as np


def load(spec):
    flat = np.fromfile(spec["weights"], dtype=np.float32)
    weights, next_ = {}, 0
    for row in spec["table"]:
        count = int(np.prod(row["shape"]))
        weights[row["name"]] = jnp.asarray(flat[next_ : next_ + count].reshape(row["shape"]))
        next_ += count
    return weights


def mlp(w, spec, tokens):
    places = jnp.arange(spec["window"]) * spec["tokenCount"]
    h1 = jnp.tanh(w["embedding"][tokens + places].sum(axis=1) + w["bias1"])
    return jnp.tanh(h1 @ w["weight2"] + w["bias2"])[:, None]


def gru(w, spec, tokens):
    names = ("update", "reset", "candidate")
    inputs = [jnp.swapaxes(w[f"embedding-{g}"][tokens] + w[f"bias-{g}"], 0, 1) for g in names]
    u = jnp.concatenate([w[f"state-{g}"] for g in names], axis=1)

    def step(h, x):
        hz, hr, hn = jnp.split(h @ u, 3, axis=1)
        z = jax.nn.sigmoid(x[0] + hz)
        n = jnp.tanh(x[2] + jax.nn.sigmoid(x[1] + hr) * hn)
        h = n + z * (h - n)
        return h, h

    _, out = jax.lax.scan(step, jnp.zeros((tokens.shape[0], spec["width"])), tuple(inputs))
    return jnp.swapaxes(out, 0, 1)


def norm(x, gain):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * gain


def transformer(w, spec, tokens):
    b, p = tokens.shape
    heads, width = spec["heads"], spec["width"]
    x = w["embedding"][tokens] + w["place"][spec["firstPlace"] : spec["firstPlace"] + p]
    causal = jnp.tril(jnp.ones((p, p), dtype=bool))
    for i in range(spec["layers"]):
        y = norm(x, w[f"{i}-norm1"])
        q, k, v = (
            (y @ w[f"{i}-{name}"]).reshape(b, p, heads, -1).transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        score = q @ k.transpose(0, 1, 3, 2) / np.sqrt(width // heads)
        mixed = jax.nn.softmax(jnp.where(causal, score, -jnp.inf)) @ v
        x = x + mixed.transpose(0, 2, 1, 3).reshape(b, p, width) @ w[f"{i}-out"]
        y = norm(x, w[f"{i}-norm2"])
        x = x + jax.nn.relu(y @ w[f"{i}-up"] + w[f"{i}-bias"]) @ w[f"{i}-down"]
    return norm(x, w["norm"])


NETWORKS = {"mlp": mlp, "gru": gru, "transformer": transformer}


class Update:
    def __init__(self, spec):
        n = spec["sequences"]
        self.weights = load(spec)
        zeros = jax.tree.map(jnp.zeros_like, self.weights)
        self.state = (zeros, zeros, 0)
        shape = (n, -1)
        self.batch = (
            np.array(spec["tokens"], dtype=np.int32).reshape(shape),
            np.array(spec["chosen"], dtype=np.int32).reshape(shape),
            np.array(spec["old"], dtype=np.float32).reshape(shape),
            np.array(spec["advantage"], dtype=np.float32).reshape(shape),
        )

        def loss_of(w, tokens, chosen, old, advantage):
            logits = NETWORKS[spec["kind"]](w, spec, tokens) @ w["out"] + w["out-bias"]
            log_probs = jax.nn.log_softmax(logits)
            log_prob = jnp.take_along_axis(log_probs, chosen[..., None], axis=-1)[..., 0]
            ratio = jnp.exp(log_prob - old)
            return -jnp.minimum(ratio * advantage, jnp.clip(ratio, 0.8, 1.2) * advantage).mean()

        def step(w, state, *batch):
            loss, gradient = jax.value_and_grad(loss_of)(w, *batch)
            size = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(gradient)))
            scale = jnp.minimum(1.0, spec["maxGradNorm"] / size)
            mean, square, k = state
            k = k + 1
            mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * scale * g, mean, gradient)
            square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * (scale * g) ** 2, square, gradient)
            rate = spec["learningRate"] / (1 - 0.9**k)
            w = jax.tree.map(
                lambda x, m, v: x - rate * m / (jnp.sqrt(v / (1 - 0.999**k)) + 1e-8), w, mean, square
            )
            return w, (mean, square, k), loss

        self.compiled = jax.jit(step)

    def step(self):
        self.weights, self.state, loss = self.compiled(self.weights, self.state, *self.batch)
        return float(loss)


def main():
    with open(sys.argv[1], encoding="utf8") as file:
        specs = json.load(file)
    updates = {}
    for line in sys.stdin:
        ask = json.loads(line)
        update = updates.setdefault(ask["work"], None) or Update(specs[ask["work"]])
        updates[ask["work"]] = update
        times, processor, losses = [], [], []
        for _ in range(ask["repetitions"]):
            begin, worked = time.perf_counter(), time.process_time()
            losses.append(update.step())
            jax.block_until_ready(update.weights)
            times.append(1000 * (time.perf_counter() - begin))
            processor.append(1000 * (time.process_time() - worked))
        with open("/proc/self/statm", encoding="utf8") as file:
            memory = int(file.read().split()[1]) * 4096 / 1e6
        print(json.dumps({"times": times, "processor": processor, "losses": losses, "memory": memory}), flush=True)


main()
