import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createRng, enumerateReturn, recipe } from "turnwise";
import { measured } from "turnwise-course";
import { following, knowsFormat, randomEpisode } from "turnwise-course/internal/newRules/knowsFormat";
import { networkClaims, storedNetworkRuns } from "turnwise-course/internal/newRules/networkClaims";
import {
  networkArms,
  networkArmsIn,
  networkQuestions,
  networkRule,
  networkSeeds,
  networkWorld,
  networkWorlds,
  type NetworkWorldName,
} from "turnwise-course/internal/newRules/networkDesign";
import {
  networkStudyPlan,
  networkTuningPlan,
  preregisteredNetworks,
  tunedNetworkRate,
  type TunedNetwork,
} from "turnwise-course/internal/newRules/networkPlan";
import { networkRun, type NetworkRun } from "turnwise-course/internal/newRules/networkRun";
import { storedTable } from "turnwise-course/internal/shared/storedTable";
import { root } from "../../../support/paths";

const words = (text: string): string => text.replace(/\s+/g, " ").replace(/-+/g, "-");
const worlds = Object.keys(networkWorlds) as NetworkWorldName[];

/** Runs of every arm that were never made, by arm and seed. */
const made = (value: (arm: string, seed: number) => number): NetworkRun[] =>
  worlds.flatMap((world) =>
    networkArmsIn(world).flatMap((arm) =>
      networkSeeds.study.map((seed) => {
        const x = value(arm, seed) + 0.001 * (seed % 3);
        return { world, arm, rate: 0.1, seed, learned: x, final: x, kept: x } as NetworkRun;
      }),
    ),
  );

describe("the study of rules that need a network", () => {
  it("is preregistered as it is run", () => {
    const file = path.join(root, "lib", "course", "src", "newRules", "NETWORKS.md");
    const text = readFileSync(file, "utf8");
    const plan = text.slice(text.indexOf("<!-- plan:start -->") + 19, text.indexOf("<!-- plan:end -->"));
    assert.equal(words(plan).trim(), words(preregisteredNetworks()));
  });

  it("runs every arm that a question names, each rule as it stands in the table but for the named part", () => {
    const asked = new Set(networkQuestions.flatMap(({ own, other }) => [own, other]));
    assert.deepEqual([...asked].sort(), Object.keys(networkArms).sort());
    const { update: _, ...own } = networkRule("OPSD", 0.1)!;
    const { update: __, ...table } = recipe("opsd");
    assert.deepEqual(own, table);
    assert.equal(networkRule("ECHO without answers", 0.1)!.regularizer.observationCoef, 0);
    assert.equal(networkRule("imitation of the same demonstrations", 0.1), undefined);
  });

  it("tunes on other seeds than it runs, and takes the rate of the best mean", () => {
    const tuning = networkTuningPlan("facts");
    assert.equal(tuning.grid.cell.length, 2 * 5);
    const points = tuning.grid.cell.map(
      ({ world, arm, rate }) => ({ world, arm, rate, learned: rate === 0.004 ? 1 : 0 }) as TunedNetwork,
    );
    assert.equal(tunedNetworkRate(points, "facts", "ECHO"), 0.004);
    const study = networkStudyPlan("facts", points);
    assert.equal(study.seeds.filter((seed) => tuning.seeds.includes(seed)).length, 0);
    assert.throws(() => tunedNetworkRate(points, "facts", "OPSD"), /"OPSD" must have been tuned in facts/);
  });

  it("begins with a network that follows any demonstration and knows nothing of the task", () => {
    const env = networkWorld("demonstrated");
    const policy = knowsFormat(env, 9000, true);
    const { J } = enumerateReturn(env, policy, { gradient: false });
    // Either tool, each as likely: ANSWER at once in half of the episodes, LOOKUP and ANSWER in a quarter. A blind answer is worth
    // 1/4 - 3/4 x 1/3 = 0, and so is one that ignores what it saw.
    assert.ok(Math.abs(J) < 0.03, `${J}`);
    const rng = createRng(1);
    const shown = randomEpisode(env, policy, rng.split("shown"));
    const [first] = following(shown, randomEpisode(env, policy, rng.split("own")));
    const [call] = first!.tokens;
    const after = Math.exp(policy.nextTokenLogProb(first!.context, [])[call!]!);
    const before = Math.exp(policy.nextTokenLogProb((first!.context as number[]).slice(-1), [])[call!]!);
    assert.ok(after > 0.95 && before < 0.9, `${after} after the demonstration, ${before} without`);
  });

  it("counts episodes and steps, and looks five times", async () => {
    const cell = {
      world: "demonstrated",
      arm: "imitation of the same demonstrations",
      rate: 0.008,
      updates: 20,
    } as const;
    const run = await networkRun({ cell, seed: 9000 });
    assert.deepEqual([run.samples, run.optimizerSteps, run.failedAt], [160, 20, 0]);
    assert.ok(run.final > run.learned && run.kept > 0 && run.kept < 1, JSON.stringify(run));
    const own = await networkRun({ cell: { ...cell, arm: "OPSD" }, seed: 9000 });
    assert.deepEqual([own.samples, own.optimizerSteps], [20 * 64, 20]);
    const echo = { world: "facts", arm: "ECHO", rate: 0.004, updates: 10 } as const;
    const shared = await networkRun({ cell: echo, seed: 9000 });
    assert.deepEqual([shared.samples, shared.optimizerSteps, shared.kept], [10 * 64, 10 * 4, 0]);
  });

  it("finds nothing where all arms are alike, and an effect only where both halves have it", () => {
    const texts = (runs: readonly NetworkRun[]): string[] =>
      networkClaims(runs).map(({ verdict }) => verdict.text);
    const nothing = "no effect that matters";
    assert.deepEqual(texts(made(() => 0.5)), [nothing, nothing, nothing, nothing, "holds"]);
    const ahead = made((arm) => (arm === "OPSD" || arm === "ECHO" ? 0.8 : 0.5));
    assert.deepEqual(texts(ahead), ["holds", "holds", "holds", "holds", "holds"]);
    const half = made((arm, seed) => (arm === "ECHO" && seed < networkSeeds.confirmFrom ? 0.8 : 0.5));
    assert.equal(texts(half)[0], "not shown");
  });

  it("is decided on every arm, each at the rate of its tuning, each seed once", () => {
    const runs = storedNetworkRuns(measured("network-rules"));
    const tuning = storedTable(measured("network-rules-rates")) as unknown as TunedNetwork[];
    for (const world of worlds) {
      for (const arm of networkArmsIn(world)) {
        const own = runs.filter((run) => run.world === world && run.arm === arm);
        assert.deepEqual(
          own.map(({ seed }) => seed),
          networkSeeds.study,
          `${world}, ${arm}`,
        );
        const points = tuning.filter((point) => point.world === world && point.arm === arm);
        assert.equal(points.length, 5);
        const best = Math.max(...points.map(({ learned }) => learned));
        const [rate] = [...new Set(own.map((run) => run.rate))];
        assert.ok(
          own.every((run) => run.rate === rate),
          `${world}, ${arm}`,
        );
        // The table has six digits: of rates that are equal in these, any may be the best.
        assert.ok(points.find((point) => point.rate === rate)!.learned >= best - 1e-5, `${world}, ${arm}`);
      }
    }
    assert.equal(runs.length, worlds.reduce((sum, world) => sum + networkArmsIn(world).length, 0) * 40);
  });
});
