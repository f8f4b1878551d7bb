import assert from "node:assert/strict";
import { createRng, make, enumerateReturn, createPolicy, recipe } from "turnwise";
import { measured, storedTable, type StoredRecord } from "turnwise-course";
import { branchingClaims, drawBranching } from "turnwise-course/search-and-world-models";
import {
  branchedWorlds,
  branchingArms,
  branchingRun,
  firstSteps,
  stepsOfGroup,
  type Aim,
} from "turnwise-course/internal/09-search-and-world-models/branchingRun";

const arms = Object.keys(branchingArms);
const round = (x: number): number => Number(x.toPrecision(6));

/** Rows of 40 policies in each world, with noise and cosines by arm that wander a little from seed to seed. */
function made(of: (arm: string) => { readonly logNoise: number; readonly cosine: number }): StoredRecord[] {
  return Object.keys(branchedWorlds).flatMap((world) =>
    arms.flatMap((arm, a) =>
      Array.from({ length: 40 }, (_, seed) => {
        const { logNoise, cosine } = of(arm);
        const wander = 0.01 * Math.sin(3 * seed + a);
        return {
          ...{ world, arm, seed, groups: arm === "GRPO" ? 16 : 20, steps: 100 },
          ...{ logNoise: logNoise + wander, cosine: cosine + wander, expectedCosine: 0.9 + wander },
        };
      }),
    ),
  );
}

describe("branches at equal environment steps", function () {
  this.timeout(60_000);

  it("share what came before a fork: two leaves of a tree that parted at turn 1 take 2 T - 1 steps", () => {
    // A maze of length 3 ends after four turns or by a wrong move; 8 members are 4 trees of a trunk and one leaf, which leaves at turn 1:
    // the first turn of each tree is taken once, so a group takes four steps fewer than without branches.
    const env = make("TMaze-v0", { length: 3 });
    const policy = createPolicy(env.spec);
    const aim: Aim = { env, policy, gradient: new Float64Array(0), rng: createRng(1) };
    const apart = stepsOfGroup(aim, recipe("grpo"));
    const shared = stepsOfGroup(aim, recipe("treeGrpo", { forks: { kind: "atTurn", turn: 1, leaves: 2 } }));
    assert.ok(Math.abs(apart - shared - 4) < 0.5, `${apart} and ${shared}`);
  });

  it("find no bias in a rule that has none", () => {
    const env = make("TMaze-v0", { length: 3 });
    const policy = createPolicy(env.spec, { initialScale: 1, seed: 1 });
    const { gradient } = enumerateReturn(env, policy);
    const aim: Aim = { env, policy, gradient, rng: createRng(2) };
    const { expectedCosine, cosine } = firstSteps(aim, recipe("rloo"), 16);
    assert.ok(Math.abs(expectedCosine - 1) < 0.03, `${expectedCosine}`);
    assert.ok(cosine < 0.95, `${cosine}`);
  });

  const stored = (): StoredRecord[] => storedTable(measured("branching"));

  it("were compared at equal steps, to within the rounding of sixteen groups", () => {
    for (const world of Object.keys(branchedWorlds)) {
      for (let seed = 0; seed < 40; seed++) {
        const own = stored().filter((row) => row["world"] === world && row["seed"] === seed);
        assert.deepEqual(
          own.map((row) => row["arm"]),
          arms,
        );
        const steps = own.map((row) => Number(row["steps"]));
        // Half a group of sixteen is 3%; the steps of a group are estimated from 200 of them.
        for (const x of steps)
          assert.ok(Math.abs(x / steps[0]! - 1) < 0.05, `${world} ${seed}: ${steps.join()}`);
      }
    }
  });

  it("are what the library computes now", async () => {
    const points = await branchingRun({ world: "HandOver", seed: 3 });
    assert.deepEqual(
      points.map((p) => [p.arm, p.groups, ...[p.steps, p.logNoise, p.cosine, p.expectedCosine].map(round)]),
      stored()
        .filter((row) => row["world"] === "HandOver" && row["seed"] === 3)
        .map((row) =>
          ["arm", "groups", "steps", "logNoise", "cosine", "expectedCosine"].map((name) => row[name]),
        ),
    );
  });

  it("save steps in the tool chain alone, as the appendix tells, and turn no batch by as much as matters", () => {
    const [noise, direction] = branchingClaims(stored());
    assert.equal(noise!.verdict.text, "holds if world = ToolChain of {TMaze, ToolChain, HandOver}");
    assert.equal(direction!.verdict.kind, "no effect that matters");
    const { summary } = drawBranching(stored());
    const needed = (world: string): number[] =>
      [...summary.matchAll(new RegExp(`[.;] ${world}, [^:]*: ([\\d.]+)`, "g"))].map(([, x]) => Number(x));
    // From a seventh, .857, to a fifth, .8, is saved.
    assert.ok(
      needed("ToolChain").every((x) => x > 0.79 && x < 0.87),
      needed("ToolChain").join(),
    );
    assert.ok(
      needed("HandOver").every((x) => x > 1.04),
      needed("HandOver").join(),
    );
    assert.ok(
      needed("TMaze").every((x) => x > 0.97),
      needed("TMaze").join(),
    );
  });

  it("are said to help where they do, and to do nothing where they do nothing", () => {
    const kinds = (rows: readonly StoredRecord[]): string[] =>
      branchingClaims(rows).map(({ verdict }) => verdict.kind);
    const better = made((arm) =>
      arm === "GRPO" ? { logNoise: 1, cosine: 0.5 } : { logNoise: 0.5, cosine: 0.6 },
    );
    assert.deepEqual(kinds(better), ["holds", "holds", "holds"]);
    const same = made(() => ({ logNoise: 1, cosine: 0.5 }));
    assert.deepEqual(kinds(same), ["no effect that matters", "no effect that matters", "holds"]);
    const worse = made((arm) =>
      arm === "GRPO" ? { logNoise: 1, cosine: 0.5 } : { logNoise: 1.5, cosine: 0.4 },
    );
    assert.deepEqual(kinds(worse), ["refuted", "refuted", "holds"]);
  });

  it("are drawn as the steps that they need for the same noise", () => {
    // A log variance that is lower by log 2 needs half of the steps.
    const rows = made((arm) => ({ logNoise: arm === "ARPO" ? 0 : Math.log(2), cosine: 0.5 }));
    const { summary } = drawBranching(rows);
    assert.match(summary, /TMaze, ARPO: 0\.500 /);
    assert.match(summary, /TMaze, Tree-GRPO: 1\.000 /);
  });
});
