import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { launch, learning, ramp, verlLog } from "./runs.js";

const page = async (files: Readonly<Record<string, string>>) => {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const report = await doctor(folder);
  const found = report.toJSON().configuration!.found.find(({ id }) => id === "no-anchor");
  return { text: String(report).replaceAll(/\s+/g, " "), found };
};

describe("doctor() on a KL that is logged", () => {
  after(removeTemporaryFolders);

  const trlLog = (kl: boolean): string =>
    Array.from({ length: 80 }, (_, i) => ({
      step: i + 1,
      reward: ramp(i, [1, 60], 0.1, 0.5),
      entropy: 0.5,
      ...(kl && { kl: ramp(i, [0, 79], 0, 0.12) }),
    }))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("");
  const trl = (beta: number): string =>
    `from trl import GRPOConfig\nargs = GRPOConfig(beta=${beta}, num_generations=8)\n`;

  it("warns where the configuration charges none, and says what would", async () => {
    const { text, found } = await page({ "log.jsonl": trlLog(true), "train.py": trl(0) });
    assert.match(
      text,
      /warning The KL to the reference is logged, and nothing charges it: it goes up to 0\.12 in the log, while beta=0, so it is measured and does not hold the policy\. Instead: beta=0\.001/,
    );
    assert.equal(found!.severity, "warning");
  });

  it("does not hold an assumed default against what the log shows", async () => {
    const older = await page({
      "log.jsonl": trlLog(true),
      "train.py": "from trl import GRPOConfig\nargs = GRPOConfig(num_generations=8)\n",
    });
    assert.doesNotMatch(older.text, /nothing charges it/);
    assert.match(
      older.text,
      /note The run's release has other defaults .* before 0\.19 its default was 0\.04/,
    );
    assert.deepEqual(older.found!.change, []);
    const unlogged = await page({
      "log.jsonl": trlLog(false),
      "train.py": "from trl import GRPOConfig\nargs = GRPOConfig(num_generations=8)\n",
    });
    assert.match(unlogged.text, /note Nothing holds the policy to where it began/);
  });

  it("names verl's two switches", async () => {
    const log = verlLog(
      80,
      learning((step) => ({ "actor/kl_loss": ramp(step, [1, 80], 0, 0.3) })),
    );
    const off = await page({
      "log.jsonl": log,
      "run.sh": launch("actor_rollout_ref.actor.use_kl_loss=False"),
    });
    assert.match(
      off.text,
      /nothing charges it: .* up to 0\.3 in the log, while actor_rollout_ref\.actor\.use_kl_loss=False and algorithm\.use_kl_in_reward=False \(default\)/i,
    );
    const on = await page({
      "log.jsonl": log,
      "run.sh": launch("actor_rollout_ref.actor.use_kl_loss=True"),
    });
    assert.equal(on.found, undefined);
    assert.doesNotMatch(on.text, /nothing charges it/);
  });

  it("is silent where one is charged, and leaves a note where none is logged", async () => {
    const charged = await page({ "log.jsonl": trlLog(true), "train.py": trl(0.04) });
    assert.equal(charged.found, undefined);
    const unlogged = await page({ "log.jsonl": trlLog(false), "train.py": trl(0) });
    assert.equal(unlogged.found!.severity, "note");
    assert.doesNotMatch(unlogged.text, /nothing charges it/);
  });
});
