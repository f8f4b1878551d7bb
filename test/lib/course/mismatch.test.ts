import assert from "node:assert/strict";
import { createPolicy, make, type Policy, type Batch } from "turnwise";
import { enumerateReturn } from "turnwise/exact";
import { mismatchRun } from "turnwise-course/internal/05-off-policy-stability/mismatch/mismatchRun";
import {
  engines,
  mismatchArms,
  type EngineName,
  type MismatchArm,
} from "turnwise-course/internal/05-off-policy-stability/mismatch/arms";
import type { MismatchRun } from "turnwise-course/internal/05-off-policy-stability/mismatch/stored";
import { mismatchClaims, mismatchRuns, correctionBias } from "turnwise-course/off-policy-stability";

const env = make("LookUp-v0", { facts: 2 });
/** A table that has every row of the world: it grows as it meets them. */
function grown(seed: number): Policy {
  const found = createPolicy(env.spec, { initialScale: 1, seed });
  enumerateReturn(env, found);
  return found;
}
const policy = grown(4);
/** The same table with logits 1.6 times smaller: an engine at temperature 1.6. */
const hot = policy.clone();
hot.parameters.forEach((x, j) => (hot.parameters[j] = x / 1.6));
const of = (
  correction: Parameters<typeof correctionBias>[2],
  rollout: Policy = hot,
): { bias: number; noise: number } => correctionBias(env, { policy, rollout }, correction);

describe("the bias of a correction, with all trajectories enumerated", () => {
  const exact = { kind: "truncate", level: "trajectory", high: null } as const;

  it("is 0 under the whole importance weight of a trajectory, whatever the engine samples from", () => {
    for (const seed of [1, 2, 3]) {
      assert.ok(of(exact, grown(seed)).bias < 1e-10, `seed ${seed}`);
    }
    assert.ok(of(exact).bias < 1e-10);
  });

  it("is 0 under every correction where the engines agree", () => {
    for (const kind of ["none", "truncate", "mask", "reject"] as const) {
      assert.ok(of({ kind }, policy).bias < 1e-10, kind);
    }
  });

  it("is not 0 without a correction, nor where a token's weight forgets the other tokens of its trajectory", () => {
    assert.ok(of("none").bias > 0.1);
    assert.ok(of({ kind: "truncate", level: "token", high: null }).bias > 0.01);
    assert.ok(of({ kind: "truncate", level: "turn", high: null }).bias > 0.01);
  });

  it("falls to 0 as C grows, and the noise rises to that of the whole weight", () => {
    const bounds = [1, 1.5, 2, 4, 1e6];
    const found = bounds.map((high) => of({ kind: "truncate", level: "trajectory", high }));
    for (let k = 1; k < found.length; k++) {
      assert.ok(found[k]!.bias <= found[k - 1]!.bias + 1e-12, `bias at C = ${bounds[k]}`);
      assert.ok(found[k]!.noise >= found[k - 1]!.noise - 1e-12, `noise at C = ${bounds[k]}`);
    }
    assert.ok(found[0]!.bias > 0.01);
    assert.ok(found.at(-1)!.bias < 1e-10);
  });

  it("of a mask is here at least as large as that of a truncation at the same bound, which takes less away", () => {
    for (const high of [1.5, 2, 3]) {
      const masked = of({ kind: "mask", level: "trajectory", low: 0, high });
      const truncated = of({ kind: "truncate", level: "trajectory", high });
      assert.ok(masked.bias >= truncated.bias, `C = ${high}`);
    }
  });

  it("stays where the engine never takes what the policy may take: no weight brings back what was not drawn", () => {
    // As under top-p: an engine that rules out LOOKUP, token 1, and draws the others more often by as much.
    const narrow = policy.clone();
    const evaluate = narrow.evaluate.bind(narrow);
    narrow.evaluate = (batch: Batch, ...rest) => {
      const found = evaluate(batch, ...rest);
      const [, T, L] = batch.shape;
      for (let i = 0; i < found.logProb_ntl.length; i += T * L) {
        const p = Math.exp(narrow.nextTokenLogProb(batch.context_nt[i / (T * L)]![0], [])[1]!);
        found.logProb_ntl[i] = batch.token_ntl[i] === 1 ? -Infinity : found.logProb_ntl[i]! - Math.log(1 - p);
      }
      return found;
    };
    assert.ok(of(exact, narrow).bias > 0.01);
  });
});

describe("a run of the study on mismatch", () => {
  it("has arms that differ in the correction alone, and engines that differ from the trainer in one way each", () => {
    assert.deepEqual(Object.keys(mismatchArms), ["bypass", "decoupled", "TIS", "IcePop", "MIS", "Geo-RS"]);
    assert.deepEqual(engines.agrees, {});
    assert.deepEqual(engines["all three"], { ...engines.noise, ...engines.stale, ...engines["top-p"] });
  });

  it("is the same for the same seed, and ends within the returns of the world", async () => {
    const job = { arm: "TIS", engine: "all three", seed: 0, updates: 10 } as const;
    const [a, b] = [await mismatchRun(job), await mismatchRun(job)];
    assert.deepEqual(a, b);
    assert.ok(a.end <= 1 && !a.stopped);
    assert.notDeepEqual(await mismatchRun({ ...job, seed: 1 }), a);
  });
});

describe("the stored runs on mismatch", () => {
  const runs = mismatchRuns();

  it("are 40 seeds of every arm under every engine, and one of them is what is computed now", async () => {
    for (const engine of Object.keys(engines)) {
      for (const arm of Object.keys(mismatchArms)) {
        const own = runs.filter((run) => run.engine === engine && run.arm === arm);
        assert.deepEqual(
          own.map(({ seed }) => seed).sort((a, b) => a - b),
          Array.from({ length: 40 }, (_, seed) => seed),
        );
      }
    }
    const kept = runs.find((run) => run.engine === "all three" && run.arm === "TIS" && run.seed === 0)!;
    const now = await mismatchRun({ engine: "all three", arm: "TIS", seed: 0 });
    assert.equal(Number(now.end.toPrecision(6)), kept.end);
    assert.equal(Number(now.mean.toPrecision(6)), kept.mean);
  }).timeout(20_000);

  /** Runs of which every arm ends where `end` says, give or take a little by seed. */
  const made = (end: (engine: EngineName, arm: MismatchArm) => number): MismatchRun[] =>
    runs.map((run) => ({ ...run, end: end(run.engine, run.arm) + 1e-3 * (run.seed % 5) }));
  const verdicts = (of: readonly MismatchRun[]): string[] =>
    mismatchClaims(of).map(({ verdict }) => verdict.text);

  it("decide each claim by what they hold, and not by its words", () => {
    const same = verdicts(made(() => 0.5));
    assert.deepEqual(same.slice(0, 5), Array(5).fill("no effect that matters"));
    assert.deepEqual(same.slice(5, 7), ["holds", "no effect that matters"]);
    // Weights gain .2 under every engine that differs, and lose .2 under the one that agrees.
    const gained = verdicts(
      made((engine, arm) =>
        arm === "bypass" || arm === "decoupled" ? 0.5 : engine === "agrees" ? 0.3 : 0.7,
      ),
    );
    assert.deepEqual(gained.slice(0, 5), ["no effect that matters", ...Array<string>(4).fill("holds")]);
    assert.match(gained[5]!, /^holds if correction = decoupled/);
    assert.equal(verdicts(made((_, arm) => (arm === "IcePop" ? 0.2 : 0.5)))[2], "refuted");
  });

  it("have a claim about bias that needs no runs: only the whole weight of a trajectory leaves none", () => {
    const last = mismatchClaims(runs).at(-1)!;
    assert.match(last.verdict.text, /^holds if weight = trajectory, no C of/);
  });
});
