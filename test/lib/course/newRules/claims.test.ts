import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { claims, measured } from "turnwise-course";
import { newRuleClaims, storedRuleRuns } from "turnwise-course/internal/newRules/claims";
import { ruleArm, ruleSeeds, ruleWorlds } from "turnwise-course/internal/newRules/design";
import { armsIn, ruleQuestions } from "turnwise-course/internal/newRules/questions";
import type { TunedArm } from "turnwise-course/internal/newRules/plan";
import type { RuleRun } from "turnwise-course/internal/newRules/run";
import { claimTable } from "turnwise-course/internal/shared/claimTable";
import { storedTable } from "turnwise-course/internal/shared/storedTable";
import { root } from "../../../support/paths";

const words = (text: string): string => text.replace(/\s+/g, " ").replace(/-+/g, "-");
const worlds = Object.keys(ruleWorlds) as (keyof typeof ruleWorlds)[];

/** Runs of every arm that were never made, by arm and seed. */
const made = (value: (arm: string, seed: number) => number): RuleRun[] =>
  worlds.flatMap((world) =>
    armsIn(world).flatMap((arm) =>
      ruleSeeds.study.map((seed) => {
        const x = value(arm, seed) + 0.001 * (seed % 3);
        return { world, arm, rate: 0.1, seed, learned: x, final: x, passAt8: x, failedAt: 0 } as RuleRun;
      }),
    ),
  );

describe("the claims of the newer rules", () => {
  it("find nothing where all arms are alike, and no loss where that is the claim", () => {
    const texts = newRuleClaims(made(() => 0.5)).map(({ verdict }) => verdict.text);
    const expected = ruleQuestions.map(({ claims: claimed }) =>
      claimed === "no loss" ? "holds" : "no effect that matters",
    );
    assert.deepEqual(texts, expected);
  });

  it("hold where an arm is ahead in both halves, and are not shown where it is in one alone", () => {
    const ahead = newRuleClaims(made((arm) => (arm === "GPG" ? 0.8 : 0.5)));
    const gpg = (all: typeof ahead): string[] =>
      all
        .filter(({ claim }) => claim.startsWith("GPG") || claim.includes("alpha"))
        .map((c) => c.verdict.text);
    assert.deepEqual(gpg(ahead), ["holds", "holds"]);
    const half = made((arm, seed) => (arm === "GPG" && seed < ruleSeeds.confirmFrom ? 0.8 : 0.5));
    assert.deepEqual(gpg(newRuleClaims(half)), ["not shown", "not shown"]);
  });

  it("are decided on every arm, each at the rate of its tuning, each seed once", () => {
    const runs = storedRuleRuns(measured("new-rules"));
    const tuning = storedTable(measured("new-rules-rates")) as unknown as TunedArm[];
    for (const world of worlds) {
      for (const arm of armsIn(world)) {
        const own = runs.filter((run) => run.world === world && run.arm === arm);
        assert.deepEqual(
          own.map(({ seed }) => seed),
          ruleSeeds.study,
          `${world}, ${arm}`,
        );
        const outcome = ruleArm(arm).tunedBy ?? "learned";
        const points = tuning.filter((point) => point.world === world && point.arm === arm);
        const best = Math.max(...points.map((point) => point[outcome]));
        const [rate] = [...new Set(own.map((run) => run.rate))];
        assert.equal(own.filter((run) => run.rate === rate).length, own.length, `${world}, ${arm}`);
        // The table has six digits: of rates that are equal in these, any may be the best.
        const chosen = points.find((point) => point.rate === rate)!;
        assert.ok(chosen[outcome] >= best - 1e-5, `${world}, ${arm}`);
      }
    }
    assert.equal(runs.length, worlds.reduce((sum, world) => sum + armsIn(world).length, 0) * 40);
  });

  for (const [name, list] of [
    ["newRules", () => claims.newRules],
    ["systems", () => claims.systems],
  ] as const) {
    it(`stand in the README of ${name} as they are decided today`, () => {
      const text = readFileSync(path.join(root, "lib", "course", "src", name, "README.md"), "utf8");
      const table = text.slice(
        text.indexOf("<!-- claims:start -->") + 21,
        text.indexOf("<!-- claims:end -->"),
      );
      assert.equal(words(table).trim(), words(claimTable(list())));
    });
  }
});
