import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readSweep, sweep, train, type Checkpoint, type PolicyOptions, type SweepOptions } from "turnwise";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "test", "fixtures", "0.1.0");
const text = (name: string): string => fs.readFileSync(path.join(folder, name), "utf8");

type Numbers = Readonly<Record<string, number>>;

/** Equal up to the last bits, in which engines of different versions compute exponentials. */
function assertSameNumbers(actual: Numbers, expected: Numbers, what: string): void {
  for (const [name, value] of Object.entries(expected)) {
    const error = Math.abs(actual[name]! - value);
    assert.ok(
      error <= 1e-9 * Math.max(1, Math.abs(value)),
      `${what}: ${name} is ${actual[name]}, was ${value}`,
    );
  }
}

interface Kept {
  readonly policy: PolicyOptions | null;
  readonly checkpoint: Checkpoint;
  readonly next: readonly { readonly update: number; readonly metrics: Numbers }[];
}

describe("files of version 0.1.0", () => {
  after(removeTemporaryFolders);

  const checkpoints = fs.readdirSync(folder).filter((name) => name.startsWith("checkpoint-"));

  it("hold a checkpoint of each kind of policy", () => {
    assert.deepEqual(checkpoints, [
      "checkpoint-dapo-gru.json",
      "checkpoint-gigpo-logLinear.json",
      "checkpoint-ppo-mlp.json",
      "checkpoint-seeUpo-tabular.json",
    ]);
  });

  for (const name of checkpoints) {
    it(`go on with ${name} as that version went on`, async () => {
      const { policy, checkpoint, next } = JSON.parse(text(name)) as Kept;
      const run = train({ resume: checkpoint, updates: 5, ...(policy && { policy }) });
      const records = [];
      for await (const record of run) records.push(record);
      assert.deepEqual(
        records.map(({ update }) => update),
        [4, 5],
      );
      records.forEach((record, i) => {
        assertSameNumbers(record.metrics as Numbers, next[i]!.metrics, `update ${record.update}`);
      });
    });
  }

  it("load checkpoints that lack settings which came later, with their defaults", async () => {
    const { checkpoint } = JSON.parse(text("checkpoint-seeUpo-tabular.json")) as Kept;
    const { logProbNoise: _noise, retrieved: _retrieved, ...settings } = checkpoint.settings;
    const run = train({ resume: { ...checkpoint, settings }, updates: 4 });
    for await (const record of run) assert.equal(record.update, 4);
    assert.equal(run.checkpoint().settings.logProbNoise, 0);
    assert.equal(run.checkpoint().settings.observationTokens, "masked");
  });

  for (const name of ["plan", "study"]) {
    it(`go on with the results of ${name}.json where they were cut off`, async () => {
      const file = path.join(temporaryFolder(), `${name}.jsonl`);
      const lines = text(`${name}.jsonl`).trimEnd().split("\n");
      fs.writeFileSync(file, `${lines.slice(0, -1).join("\n")}\n`);
      const { results } = await sweep({
        ...(JSON.parse(text(`${name}.json`)) as SweepOptions),
        file,
        workers: 0,
      });
      const kept = readSweep(path.join(folder, `${name}.jsonl`)).rows;
      assert.equal(results.length, kept.length);
      const last = readSweep(file).rows.at(-1)!;
      assert.equal(last.key, kept.at(-1)!.key);
      const numbers = ({ value }: (typeof kept)[number]): Numbers => {
        const whole = value as Readonly<Record<string, unknown>>;
        const own = (whole["metrics"] ?? whole) as Readonly<Record<string, unknown>>;
        return Object.fromEntries(Object.entries(own).filter(([, x]) => typeof x === "number")) as Numbers;
      };
      assertSameNumbers(numbers(last), numbers(kept.at(-1)!), last.key);
    });
  }

  it("run from the command line", async () => {
    const own = temporaryFolder();
    for (const name of ["plan.json", "plan.jsonl"])
      fs.copyFileSync(path.join(folder, name), path.join(own, name));
    const { code, stdout, stderr } = await turnwise(["sweep", "plan.json"], { cwd: own });
    assert.equal(code, 0, stdout + stderr);
  });
});
