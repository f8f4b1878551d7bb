import assert from "node:assert/strict";
import path from "node:path";
import {
  environmentReference,
  environmentRun,
  environmentTable,
  withEnvironmentTable,
  worlds,
} from "turnwise-course";
import type { EnvironmentReference, EnvironmentRow } from "turnwise-course/internal/worlds/environmentTable";
import { root } from "../../../support/paths";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { read } = require(path.join(root, "datasets", "measure-environments.cjs")) as {
  read(file: string): unknown[];
};
const measured = (name: string): unknown[] => read(path.join(root, "datasets", "measured", name));
const rows = measured("environments.csv") as (EnvironmentRow & Record<string, number>)[];
const references = measured("environment-references.csv") as EnvironmentReference[];

describe("the table of environments", () => {
  it("has ten seeds of both rules in every world, and a reference", () => {
    for (const { name } of worlds) {
      for (const rule of ["grpo", "seeUpo"]) {
        const seeds = rows.filter((row) => row.world === name && row.rule === rule).map(({ seed }) => seed);
        assert.deepEqual(
          seeds.sort((a, b) => a - b),
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
          `${name}, ${rule}: node datasets/measure-environments.cjs ${name}`,
        );
      }
      assert.equal(references.filter(({ world }) => world === name).length, 1, name);
    }
  });

  it("needs markers in the text that it is written into", () => {
    assert.throws(() => withEnvironmentTable("no markers", ""), { name: "RangeError" });
  });

  it("prints means, intervals and scores of given runs", () => {
    const one = { world: "Tiger-v0", random: -10, optimum: 10, how: "written down", beliefs: 0 };
    const run = (rule: string, seed: number, mean: number): EnvironmentRow => ({
      world: "Tiger-v0",
      rule,
      seed,
      mean,
      seconds: 2,
    });
    const table = environmentTable([run("grpo", 0, 5), run("grpo", 1, 5), run("seeUpo", 0, -30)], [one]);
    // Score (5 + 10) / 20 = .75; below random is 0. Equal runs have no spread.
    assert.equal(
      table.split("\n")[2],
      "| `Tiger-v0` | information gathering: listen before you act | 10.000 | -10.000 | " +
        "5.000 [5.000, 5.000], score 0.75 | -30.000 [-30.000, -30.000], score 0.00 | 2 and 1 | 2.0 |",
    );
  });

  it("gives both rules the same samples, and steps that differ by turns nobody reaches only", () => {
    for (const world of worlds) {
      const of = (rule: string): typeof rows =>
        rows.filter((row) => row.world === world.name && row.rule === rule);
      const [grpo, seeUpo] = [of("grpo"), of("seeUpo")];
      assert.ok(
        [...grpo, ...seeUpo].every(({ samples }) => samples === 25_600),
        world.name,
      );
      const most = Math.max(0, ...grpo.map(({ optimizerSteps }) => optimizerSteps!));
      assert.ok(
        seeUpo.every(({ optimizerSteps }) => optimizerSteps! <= most),
        world.name,
      );
    }
  });

  it("measures against exact returns: those of the small worlds are computed again", () => {
    for (const name of ["BiArmBandit-v0", "LookUp-v0", "Tiger-v0", "TMaze-v0", "ToolChain-v0"]) {
      const again = environmentReference(worlds.find((world) => world.name === name)!);
      const stored = references.find(({ world }) => world === name)!;
      assert.ok(
        Math.abs(again.random - stored.random) < 1e-9 && Math.abs(again.optimum - stored.optimum) < 1e-9,
        name,
      );
      assert.equal(again.beliefs, stored.beliefs);
    }
  });

  it("a seed is what is stored: BiArmBandit, seeUpo, seed 0 (else: node datasets/measure-environments.cjs)", async () => {
    const stored = rows.find(
      (row) => row.world === "BiArmBandit-v0" && row.rule === "seeUpo" && row.seed === 0,
    )!;
    const { mean, optimizerSteps } = await environmentRun(worlds[0]!, "seeUpo", 0);
    assert.ok(Math.abs(mean - stored.mean) < 1e-5, `${mean} against ${stored.mean}`);
    assert.equal(optimizerSteps, stored["optimizerSteps"]);
  }).timeout(60_000);
});
