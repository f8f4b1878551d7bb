// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import path from "node:path";
import { randomReturn } from "turnwise/exact";
import { make, createRng } from "turnwise";
import { libraryWorlds } from "turnwise/internal/env/worlds";
import { matrixWorlds, misfit, policyColumns, policyRun, policyTable } from "turnwise-course";
import { beatsRandom } from "turnwise-course/internal/worlds/policyTable";
import type { PolicyRow } from "turnwise-course/internal/worlds/policyTable";
import { root } from "../../../support/paths";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { read } = require(path.join(root, "datasets", "measure-environments.cjs")) as {
  read(file: string): unknown[];
};
const rows = read(path.join(root, "datasets", "measured", "policies.csv")) as PolicyRow[];
const worldOf = (name: string): (typeof matrixWorlds)[number] =>
  matrixWorlds.find((world) => world.name === name)!;
const columnOf = (name: string): (typeof policyColumns)[number] =>
  policyColumns.find((column) => column.name === name)!;

/** Whether some observation of 50 random episodes has more than one token. */
function showsSeveralTokens({ id, options }: (typeof matrixWorlds)[number]): boolean {
  const env = make(id, options);
  const rng = createRng(5);
  for (let seed = 0; seed < 50; seed++) {
    let [observation] = env.reset({ seed });
    for (let over = false; !over;) {
      if (observation.tokens.length !== 1) return true;
      const [next, , terminated, truncated] = env.step(env.actionSpace.sample(rng));
      observation = next;
      over = terminated || truncated;
    }
  }
  return false;
}

describe("the matrix of policies and environments", () => {
  it("has a row for every world, and one more for ApiChain with a checklist", () => {
    const ids = libraryWorlds.map(({ id }) => id);
    assert.deepEqual(
      matrixWorlds.map(({ name }) => name),
      [...ids, "ApiChain-v0 with a checklist"],
    );
  });

  it("holds the same seeds, from 0 on, of every policy in a world it can act in, and none elsewhere", () => {
    for (const world of matrixWorlds) {
      const own = rows.filter((row) => row.world === world.name);
      const count = new Set(own.map(({ seed }) => seed)).size;
      assert.ok(count >= 1, `${world.name}: node datasets/measure-policies.cjs ${world.id}`);
      for (const column of policyColumns) {
        const seeds = own.filter((row) => row.policy === column.name).map(({ seed }) => seed);
        const wanted = misfit(world, column) === undefined ? Array.from({ length: count }, (_, i) => i) : [];
        assert.deepEqual(seeds.sort(), wanted, `${world.name}, ${column.name}`);
      }
    }
  });

  it("only the log-linear policy cannot act in some worlds: those that show more than one token at a time", () => {
    for (const world of matrixWorlds) {
      const misfits = policyColumns.filter((column) => misfit(world, column) !== undefined);
      assert.deepEqual(
        misfits.map(({ name }) => name),
        showsSeveralTokens(world) ? ["log-linear"] : [],
        world.name,
      );
    }
    assert.match(misfit(worldOf("Sokoban-v0"), columnOf("log-linear"))!, /must be one token/);
  });

  it("calls better what exceeds the exact return by three standard errors, and says where not all seeds do", () => {
    // .23 - 3 x .009 = .203 > .2, .225 - 3 x .009 = .198 < .2.
    const row = (seed: number, mean: number): PolicyRow => ({
      world: "BiArmBandit-v0",
      policy: "mlp",
      seed,
      random: 0.2,
      untrained: 0.2,
      mean,
      standardError: 0.009,
      seconds: 1,
    });
    assert.deepEqual([row(0, 0.23), row(1, 0.225)].map(beatsRandom), [true, false]);
    assert.match(
      policyTable([row(0, 0.23), row(1, 0.225)]),
      /^\| `BiArmBandit-v0` \| 0\.200 \| (not measured \| ){3}0\.228 \(\*\*1 of 2\*\*\) \| (not measured \| ){2}2 \|$/m,
    );
  });

  for (const [world, policy, seed] of [
    ["MatrixChain-v0", "table of turn and observation", 2],
    ["MatrixChain-v0", "mlp", 2],
    ["ToolChain-v0", "log-linear", 0],
  ] as const) {
    it(`a cell is what is stored: ${policy} in ${world}, seed ${seed} (else: node datasets/measure-policies.cjs)`, async () => {
      const stored = rows.find((row) => row.world === world && row.policy === policy && row.seed === seed)!;
      const again = await policyRun(worldOf(world), columnOf(policy), seed);
      const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-5, `${a} against ${b}`);
      near(again.mean, stored.mean);
      near(again.untrained, stored.untrained);
      near(again.standardError, stored.standardError);
      near(randomReturn(make(worldOf(world).id)), stored.random);
      assert.ok(beatsRandom(stored));
    }).timeout(60_000);
  }
});
