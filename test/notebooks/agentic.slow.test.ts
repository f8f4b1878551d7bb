import assert from "node:assert/strict";
import { bootstrapInterval, difference } from "turnwise";
import {
  creditRun,
  retrievedRun,
  skillRun,
  skills,
  teamCredit,
  teamRun,
  type SkillName,
} from "turnwise-course/agentic-pomdp";
import { claimOf, storedLedger } from "./storedLedger";
import { same, shown, stored } from "./storedTables";

const paired = (a: number[], b: number[]): ReturnType<typeof difference> =>
  difference(a, b, { paired: true });

describe("the full ledger of lesson 06, trained again", () => {
  const rows = storedLedger("appendix/06-agentic-pomdp");
  const has = (words: string, expected: string): void => {
    const { measured } = claimOf(rows, words);
    assert.ok(measured.includes(expected), `${expected} in: ${measured}`);
  };

  it("the skills, trained again with ten seeds", async () => {
    const known = new Map<string, number[]>();
    const scores = async (skill: SkillName, arm: number): Promise<number[]> => {
      const name = Object.keys(skills[skill].arms)[arm]!;
      const before = known.get(skill + name);
      if (before) return before;
      const runs: number[] = [];
      known.set(skill + name, runs);
      for (let seed = 0; seed < 10; seed++) runs.push((await skillRun(skill, name, seed)).score);
      return runs;
    };
    const both = async (skill: SkillName): Promise<string> =>
      shown(paired(await scores(skill, 0), await scores(skill, 1)));
    has(
      "Memory decides",
      `KeyDoor with - without ${await both("memory: KeyDoor")}; TMaze ${await both("memory: TMaze")}`,
    );
    has(
      "So do tools",
      `tool ${await both("tool: LookUp")}, planning ${await both("planning: now or later")}, action ${await both("action: LookUp")}`,
    );
    has("Without step credit", `score ${shown(bootstrapInterval(await scores("tool: LookUp", 0)))}`);
    const step = shown(paired(await scores("tool: LookUp", 2), await scores("tool: LookUp", 0)));
    has("Without step credit", `step credit - whole return: LookUp ${step}`);
  }).timeout(120_000);

  it("stored runs are what the library computes now, one of each kind", async () => {
    const run = await retrievedRun({ words: 8, retrieved: "trained", seed: 2 });
    const row = stored("retrieved").find(
      (r) => r["words"] === 8 && r["retrieved"] === "trained" && r["seed"] === 2,
    )!;
    same(run.success, row["success"]);
    same(run.forged, row["forged"]);
    const study = await creditRun(1);
    for (const rule of study.rules) {
      const before = stored("credit").find((r) => r["seed"] === 1 && r["rule"] === rule.rule)!;
      same(rule.correlation, before["correlation"]);
      same(rule.direction, before["direction"]);
    }
  }).timeout(60_000);

  it("stored runs and steps of agents and subgoals are what the library computes now, one of each kind", async () => {
    const team = {
      world: "subgoals, 6 turns",
      arm: "segments and roles",
      learningRate: 0.03,
      seed: 4,
    } as const;
    const trained = stored("subgoals").find((r) =>
      Object.entries(team).every(([name, value]) => r[name] === value),
    )!;
    same((await teamRun(team)).final, trained["final"]);
    for (const { arm, logNoise } of await teamCredit({ rule: "drMas", seed: 2 })) {
      same(logNoise, stored("team-credit").find((r) => r["seed"] === 2 && r["arm"] === arm)!["logNoise"]);
    }
  }).timeout(60_000);
});
