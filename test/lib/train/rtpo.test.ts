// Uses internals of turnwise/batch, turnwise/policy.
import assert from "node:assert/strict";
import { make } from "turnwise";
import { TabularPolicy } from "turnwise/internal/policy/tabular";
import { rtpo, rtpoRule, type RtpoOptions, type RtpoRecord } from "turnwise/internal/train/reverseTurns/rtpo";
import type { Prepared } from "turnwise/internal/train/prepared";
import type { UpdateObserver } from "turnwise/internal/train/witness";
import type { Batch } from "turnwise/internal/batch/batch";

const update = (
  o: Partial<{ epochs: number; minibatches: number; learningRate: number }> = {},
): RtpoOptions["update"] => ({
  epochs: o.epochs ?? 1,
  minibatches: o.minibatches ?? 1,
  optimizer: { kind: "sgd", learningRate: o.learningRate ?? 2 },
});

const options: RtpoOptions = { groups: 3, trunks: 2, siblings: 4, rollouts: 1, seed: 5, update: update() };

const ladder = (turns = 3): ReturnType<typeof make> => make("MatrixChain-v0", { game: "ladder", turns });

/** Runs RTPO and calls back for every batch of siblings before its steps, and for the turns of every step. */
async function watch(
  o: RtpoOptions,
  see: {
    prepared?: (data: Prepared, policy: TabularPolicy) => void;
    turns?: number[];
    sampled?: (batch: Batch) => void;
  },
): Promise<{ policy: TabularPolicy; records: RtpoRecord[] }> {
  const env = ladder();
  const policy = new TabularPolicy(env.spec);
  const watched: UpdateObserver = {
    prepared: (data) => see.prepared?.(data, policy),
    stepped: ({ turns }) => see.turns?.push(...turns),
    sampled: (batch) => see.sampled?.(batch),
  };
  const records: RtpoRecord[] = [];
  for await (const record of rtpo(env, policy, o, watched)) records.push(record);
  return { policy, records };
}

/** The turn at which the siblings of a batch leave their trunks. */
const turnOf = ({ fork_n }: Batch): number => fork_n![0]!.turn;

/**
 * A second implementation, over plain lists: a softmax over three actions for each rung, PPO's clipped objective on one turn of the
 * siblings, full batches.
 */
class PlainRungs {
  readonly logits = new Map<string, number[]>();

  constructor(
    private readonly rate: number,
    private readonly epochs: number,
    private readonly clip: number,
  ) {}

  of(rung: string): number[] {
    if (!this.logits.has(rung)) this.logits.set(rung, [0, 0, 0]);
    return this.logits.get(rung)!;
  }

  probabilities(rung: string): number[] {
    const e = this.of(rung).map((x) => Math.exp(x));
    const total = e.reduce((a, b) => a + b, 0);
    return e.map((x) => x / total);
  }

  learn(batch: Batch): void {
    const [N, T] = batch.shape;
    const turn = turnOf(batch);
    const siblings = Array.from({ length: N }, (_, n) => ({
      rung: batch.observation_nt[n]![turn]!,
      action: batch.token_ntl[n * T + turn]!,
      trunk: batch.fork_n![n]!.parent,
      R: batch.return_n[n]!,
    }));
    const old = siblings.map(({ rung, action }) => this.probabilities(rung)[action]!);
    for (let epoch = 0; epoch < this.epochs; epoch++) {
      const steps: [number[], number, number][] = [];
      siblings.forEach(({ rung, action, trunk, R }, j) => {
        const group = siblings.filter((one) => one.trunk === trunk).map((one) => one.R);
        const A = R - group.reduce((a, b) => a + b, 0) / group.length;
        const p = this.probabilities(rung);
        const rho = p[action]! / old[j]!;
        const cut = A > 0 ? rho > 1 + this.clip : rho < 1 - this.clip;
        if (cut) return;
        p.forEach((q, a) =>
          steps.push([
            this.of(rung),
            a,
            (this.rate * rho * A * ((a === action ? 1 : 0) - q)) / siblings.length,
          ]),
        );
      });
      for (const [logits, a, step] of steps) logits[a]! += step;
    }
  }
}

describe("rtpo()", () => {
  it("compares each sibling with those of its trunk: with returns 1 and .55, +.225 and -.225", async () => {
    const seen = new Set<string>();
    const prepared = ({ batch, advantage_ntl }: Prepared): void => {
      const [N, T] = batch.shape;
      for (let n = 0; n < N; n += 2) {
        // Two siblings of a trunk lie side by side; a third of a half-difference each way.
        assert.equal(batch.groupId[n], batch.groupId[n + 1]);
        const half = (batch.return_n[n]! - batch.return_n[n + 1]!) / 2;
        const [first, second] = [n, n + 1].map((k) => advantage_ntl[k * T + turnOf(batch)]!);
        assert.ok(Math.abs(first! - half) < 1e-12 && Math.abs(second! + half) < 1e-12);
        seen.add(Math.abs(half).toFixed(3));
      }
    };
    await watch({ ...options, siblings: 2, rollouts: 400 }, { prepared });
    assert.ok(seen.has("0.225"), [...seen].join());
  });

  it("updates turns in reverse, on siblings that the policy plays as later turns have left it", async () => {
    const turns: number[] = [];
    const starts: number[] = [];
    const prepared = ({ batch }: Prepared, policy: TabularPolicy): void => {
      const turn = turnOf(batch);
      starts.push(turn);
      const [N, T] = batch.shape;
      const now = policy.evaluate(batch).logProb_ntl;
      for (let n = 0; n < N; n++) {
        assert.equal(batch.fork_n![n]!.turn, turn);
        // On-policy from this turn on: the stored log-probs are those of the present parameters.
        for (let t = turn; t < batch.turnCount_n[n]!; t++)
          assert.equal(now[n * T + t], batch.oldLogProb_ntl[n * T + t]);
      }
    };
    const { records } = await watch(options, { prepared, turns });
    assert.equal(records.length, 1);
    assert.deepEqual(
      turns,
      [...turns].sort((a, b) => b - a),
    );
    // One step for each turn that a trunk reached.
    assert.deepEqual(turns, starts);
    assert.equal(records[0]!.optimizerSteps, turns.length);
  });

  it("moves the policy as a second implementation does, with and without a clip that binds", async () => {
    for (const [epochs, learningRate] of [
      [1, 2],
      [4, 12],
    ] as const) {
      const plain = new PlainRungs(learningRate, epochs, 0.2);
      const o = { ...options, rollouts: 300, update: update({ epochs, learningRate }) };
      let last: Batch | undefined;
      const sampled = (batch: Batch): void => void (last = batch);
      const { policy } = await watch(o, { sampled, prepared: ({ batch }) => plain.learn(batch) });
      const { logProb_ntlv } = policy.evaluate(last!, undefined, undefined, undefined, {
        distributions: true,
      });
      const [N, T, L] = last!.shape;
      const V = logProb_ntlv!.length / (N * T * L);
      let compared = 0;
      for (let n = 0; n < N; n++)
        for (let t = 0; t < last!.turnCount_n[n]!; t++) {
          const p = plain.probabilities(last!.observation_nt[n]![t]!);
          for (let a = 0; a < V; a++) {
            const mine = Math.exp(logProb_ntlv![(n * T + t) * V + a]!);
            assert.ok(Math.abs(mine - p[a]!) < 1e-12, `${mine} and ${p[a]}`);
            compared++;
          }
        }
      assert.ok(compared > 0);
    }
  });

  it("counts trunks and siblings, and the turns that were really played", async () => {
    let trunks: Batch | undefined;
    const siblings: Batch[] = [];
    const { records } = await watch(options, {
      sampled: (batch) => void (trunks = batch),
      prepared: ({ batch }) => void siblings.push(batch),
    });
    const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);
    assert.equal(records[0]!.samples, 6 + sum(siblings.map(({ shape: [N] }) => N)));
    // A sibling at turn k was played from turn k on.
    const own = siblings.map((batch) => sum(batch.turnCount_n) - batch.shape[0] * turnOf(batch));
    assert.equal(records[0]!.turns, sum(trunks!.turnCount_n) + sum(own));
    // Each trunk is left at each of its turns by four siblings.
    assert.equal(records[0]!.samples - 6, 4 * sum(trunks!.turnCount_n));
  });

  it("has the rule of Equation 6: token ratios, a clip, a mean over a turn's tokens, then over siblings", () => {
    const { ratio, gate, aggregate, scale } = rtpoRule(1, { update: update(), clip: 0.3 });
    assert.equal(ratio.level, "token");
    assert.deepEqual(gate, { kind: "clip", clipLow: 0.3, clipHigh: 0.3 });
    assert.deepEqual(aggregate, { kind: "sequenceMeanTokenMean", per: "turn" });
    assert.equal(scale.kind, "none");
  });

  it("gives each token of its turn -A / (siblings x tokens of the turn), and no other token anything", async () => {
    const env = make("ToolChain-v0");
    const policy = new TabularPolicy(env.spec, { syntaxPrior: 4 });
    let data: Prepared | undefined;
    let checked = 0;
    const watched: UpdateObserver = {
      sampled: () => undefined,
      prepared: (prepared) => void (data = prepared),
      stepped: ({ turns: [turn], surrogate }) => {
        const { batch } = data!;
        const [N, T, L] = batch.shape;
        for (let n = 0; n < N; n++) {
          const group = [...batch.return_n].filter((_, m) => batch.groupId[m] === batch.groupId[n]);
          const A = batch.return_n[n]! - group.reduce((a, b) => a + b, 0) / group.length;
          for (let i = n * T * L; i < (n + 1) * T * L; i++) {
            const own = Math.floor(i / L) % T === turn;
            // Ratios are 1 in the first step; a turn of ToolChain has three tokens.
            const expected = own ? -A / (N * 3) : 0;
            assert.ok(Math.abs(surrogate.dLogProb_ntl[i]! - expected) < 1e-12);
            if (expected !== 0) checked++;
          }
        }
      },
    };
    const o = { ...options, groups: 8, siblings: 8, rollouts: 600 };
    for await (const { update: done } of rtpo(env, policy, o, watched)) assert.ok(done > 0);
    assert.ok(checked > 0);
  });

  it("learns the ladder", async () => {
    const { records } = await watch(
      { ...options, siblings: 2, rollouts: 6000, update: update({ learningRate: 1 }) },
      {},
    );
    assert.ok(records.at(-1)!.metrics["reward/mean"]! > 0.9);
  });

  it("refuses numbers that it cannot use", async () => {
    await assert.rejects(watch({ ...options, siblings: 0 }, {}), { name: "RangeError", message: /siblings/ });
  });
});
