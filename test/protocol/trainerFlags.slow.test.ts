import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { recipeNames } from "turnwise";
import { toOpenRlhf, toTrl, toVerl, type FlagValues } from "turnwise-practice";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { pythonWith } from "../support/python.js";

interface Asked {
  readonly framework: "trl" | "verl" | "openRlhf";
  readonly name: string;
  readonly flags: FlagValues;
  /** As a shell would hand them over; TRL's is Python. */
  readonly args: readonly string[];
}

type Told = { readonly got: FlagValues } | { readonly refused: string };

const words = (text: string): string[] =>
  text
    .replaceAll("\\\n", " ")
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/"(.*)"$/, "$1"));

const frameworks = { trl: toTrl, verl: toVerl, openRlhf: toOpenRlhf } as const;

const asked = Object.entries(frameworks).flatMap(([framework, to]) =>
  recipeNames.map((name): Asked => {
    const { flags, text } = to(name);
    const args = framework === "trl" ? [text] : words(text).slice(3);
    return { framework: framework as Asked["framework"], name, flags, args };
  }),
);

/** Each of which a parser refuses, and with what words. */
const wrong: readonly (Asked & { readonly says: RegExp })[] = [
  {
    ...{ framework: "trl", name: "a name", flags: {}, args: ["GRPOConfig(epsilon_low=0.2)"] },
    says: /unexpected keyword argument 'epsilon_low'/,
  },
  {
    ...{
      framework: "trl",
      name: "a word",
      flags: { loss_type: "gspo" },
      args: ['GRPOConfig(loss_type="gspo")'],
    },
    says: /loss_type is gspo; the trainer knows .*'luspo'/,
  },
  {
    ...{ framework: "trl", name: "a group", flags: {}, args: ["GRPOConfig(num_generations=1)"] },
    says: /GRPO requires at least 2 generations/,
  },
  {
    ...{ framework: "verl", name: "a name", flags: {}, args: ["actor_rollout_ref.actor.clip_low=0.2"] },
    says: /Could not override 'actor_rollout_ref.actor.clip_low'/,
  },
  {
    ...{ framework: "verl", name: "a word", flags: {}, args: ["algorithm.adv_estimator=grppo"] },
    says: /grppo is none of/,
  },
  {
    framework: "verl",
    name: "a bound",
    flags: {},
    args: [
      "algorithm.rollout_correction.rollout_is=token",
      "algorithm.rollout_correction.rollout_is_threshold='0_2'",
    ],
    says: /lower bound must be positive/,
  },
  {
    ...{ framework: "openRlhf", name: "a word", flags: {}, args: ["--algo.advantage.estimator", "grpo"] },
    says: /invalid choice: 'grpo'/,
  },
  {
    ...{ framework: "openRlhf", name: "a group", flags: {}, args: ["--algo.advantage.estimator", "rloo"] },
    says: /rloo requires n_samples_per_prompt > 1/,
  },
];

function parsed(python: string, given: readonly Asked[]): Promise<Told[]> {
  const child = spawn(python, [path.join(root, "test/protocol/python/trainer_flags.py")]);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(JSON.stringify(given));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(stdout) as Told[]);
      else reject(new Error(`the parsers ended with ${code}: ${stderr}`));
    });
  });
}

describe("the parsers of TRL, verl and OpenRLHF", function () {
  this.timeout(patient(120_000));
  this.slow(30_000);
  let told: Told[] = [];
  before(async function () {
    told = await parsed(await pythonWith(this, "trainerTests"), [...asked, ...wrong]);
  });

  for (const framework of Object.keys(frameworks)) {
    it(`${framework} takes the flags of every row, and has the values that were meant`, () => {
      let count = 0;
      asked.forEach((one, i) => {
        if (one.framework !== framework) return;
        const { name, flags } = one;
        assert.deepEqual(told[i], { got: flags }, name);
        count += Object.keys(flags).length;
      });
      assert.ok(count > 8 * recipeNames.length, `${count} flags`);
    });
  }

  it("refuse what is none of their names, words and bounds: they were really asked", () => {
    wrong.forEach(({ framework, name, says }, i) => {
      const answer = told[asked.length + i]!;
      assert.ok("refused" in answer, `${framework} took ${name}`);
      assert.match(answer.refused, says);
    });
  });
});
