// Uses internals of turnwise/monitor.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { EchoTrapMonitor, monitor } from "turnwise";
import { recordsFromCsv, recordsFromJsonl } from "turnwise-practice";
import type { NamingName } from "turnwise-practice";
import { fallOf, type MonitorRecord } from "turnwise/internal/monitor/index";
import type { LogText } from "turnwise-practice";
import { root } from "../../../support/paths.js";

const folder = path.join(root, "datasets", "logs");
const read = async (records: AsyncIterable<MonitorRecord>): Promise<MonitorRecord[]> => {
  const all: MonitorRecord[] = [];
  for await (const record of records) all.push(record);
  return all;
};
const jsonl = (text: LogText, naming?: NamingName): Promise<MonitorRecord[]> =>
  read(recordsFromJsonl(text, naming));

describe("logs of other frameworks", () => {
  it("verl: metrics one level down, both clip bounds together, the dual clip as such", async () => {
    const line = {
      step: 7,
      data: {
        "critic/score/mean": 0.5,
        "critic/rewards/mean": 0.4,
        "actor/entropy_loss": 1.5,
        "actor/grad_norm": 2,
        "actor/pg_clipfrac": 0.25,
        "actor/pg_clipfrac_lower": 0.01,
        "actor/ppo_kl": -0.002,
        "response_length/mean": 120,
        "timing_s/step": 30,
      },
    };
    assert.deepEqual(await jsonl(JSON.stringify(line), "verl"), [
      {
        update: 7,
        metrics: {
          "reward/mean": 0.5, // the score, not the reward after its KL penalty
          "policy/entropy": 1.5,
          "policy/approxKl": -0.002,
          "policy/clipFrac": 0.25,
          "policy/clipFracDual": 0.01,
          "policy/gradNorm": 2,
          "tokens/mean": 120,
        },
      },
    ]);
  });

  it("TRL: flat lines; lines of evaluation are no records", async () => {
    const lines = [
      '{"loss": 0.1, "grad_norm": 0.5, "reward": 0.25, "reward_std": 0.4, "frac_reward_zero_std": 0.125, "kl": 0.01, "step": 10}',
      '{"eval_runtime": 3.2, "eval_samples_per_second": 4, "step": 10}',
      '{"entropy": 0.8, "clip_ratio/low_mean": 0.1, "clip_ratio/high_mean": 0.2, "step": 20}',
    ];
    assert.deepEqual(await jsonl(lines.join("\n"), "trl"), [
      {
        update: 10,
        metrics: {
          "reward/mean": 0.25,
          "reward/std": 0.4,
          "reward/fracZeroStd": 0.125,
          "policy/loss": 0.1,
          "policy/klReference": 0.01,
          "policy/gradNorm": 0.5,
        },
      },
      {
        update: 20,
        metrics: { "policy/entropy": 0.8, "policy/clipFracLow": 0.1, "policy/clipFracHigh": 0.2 },
      },
    ]);
  });

  it("verl and TRL: how far trainer and rollout engine are apart", async () => {
    const data = {
      "rollout_corr/kl": 0.01,
      "rollout_corr/k3_kl": 0.02,
      "rollout_corr/rollout_is_eff_sample_size": 0.9,
    };
    assert.deepEqual(await jsonl(JSON.stringify({ step: 1, data }), "verl"), [
      {
        update: 1,
        metrics: { "mismatch/kl": 0.01, "mismatch/approxKl": 0.02, "mismatch/effectiveSampleSize": 0.9 },
      },
    ]);
    const line = { step: 1, "sampling/sampling_logp_difference/mean": 0.03 };
    assert.deepEqual(await jsonl(JSON.stringify(line), "trl"), [
      { update: 1, metrics: { "mismatch/logProbGap": 0.03 } },
    ]);
  });

  it("RAGEN: in-group statistics, and the success of the training environment but not of validation", async () => {
    const data = {
      "rollout/in_group_std": 0.3,
      "rollout/in_group_mean": 0.6,
      "critic/score/mean": 0.59,
      "val-env/CoordSokoban/success": 0.9,
      "train/CoordSokoban/success": 0.5,
      "actor/entropy": 0.7,
    };
    assert.deepEqual(await jsonl(JSON.stringify({ step: 3, data }), "ragen"), [
      {
        update: 3,
        metrics: { "reward/mean": 0.6, "reward/std": 0.3, "policy/entropy": 0.7, "success/mean": 0.5 },
      },
    ]);
  });

  it("takes null and text for missing, and names what Python wrote as NaN or infinite", async () => {
    const text =
      '{"step": 1, "reward": NaN, "entropy": 0.5, "grad_norm": -Infinity, "loss": null, "kl": "0.1"}';
    assert.deepEqual(await jsonl(text, "trl"), [
      { update: 1, metrics: { "policy/entropy": 0.5 }, notFinite: { reward: NaN, grad_norm: -Infinity } },
    ]);
  });

  it("reads our own records back as they were", async () => {
    const records = [1, 2].map((update) => ({ update, samples: 64, metrics: { "reward/mean": update / 4 } }));
    const text = records.map((record) => JSON.stringify(record)).join("\n");
    assert.deepEqual(
      await jsonl(text),
      records.map(({ update, metrics }) => ({ update, metrics })),
    );
  });

  it("reads the same records from a whole text and from pieces cut anywhere", async () => {
    const text = fs.readFileSync(path.join(folder, "trl.jsonl"), "utf8").split("\n").slice(0, 5).join("\r\n");
    const whole = await jsonl(text, "trl");
    assert.equal(whole.length, 5);
    for (const size of [1, 7, 100]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      assert.deepEqual(await jsonl(pieces, "trl"), whole);
    }
  });

  it("reads a table with quoted names, empty cells and a step of its own", async () => {
    const text = 'step,"reward",reward_std,note\n5,0.5,,"a, ""b"""\n6,0.75,0.1,\n';
    assert.deepEqual(await read(recordsFromCsv(text, "trl")), [
      { update: 5, metrics: { "reward/mean": 0.5 } },
      { update: 6, metrics: { "reward/mean": 0.75, "reward/std": 0.1 } },
    ]);
    const unnumbered = await read(recordsFromCsv("reward\n1\n0\n", "trl"));
    assert.deepEqual(
      unnumbered.map((record) => record.update),
      [1, 2],
    );
  });

  it("names what it cannot read", async () => {
    await assert.rejects(jsonl('{"step": 1}\nstep 2', "trl"), {
      name: "TypeError",
      message: 'Cannot read a log: each line must be a JSON object, but line 2 is "step 2".',
    });
    await assert.rejects(read(recordsFromCsv("a,b\n1\n", "trl")), {
      name: "TypeError",
      message: "Cannot read a log: each row must have 2 cells, but line 2 has 1.",
    });
    await assert.rejects(jsonl("{}", "wandb" as NamingName), {
      name: "RangeError",
      message:
        'Cannot read a log: its naming must be one of turnwise, verl, trl, ragen, ragen2, primeRl, skyrl, tinker, slime, openrlhf, nemoRl, openInstruct, areal, roll, mlxLmLora, trlPpo, common, got "wandb".',
    });
  });

  for (const naming of ["verl", "trl", "ragen"] as const) {
    it(`finds the cliff, the burst and the fall of the sample log of ${naming}`, async () => {
      const text = fs.readFileSync(path.join(folder, `${naming}.jsonl`), "utf8");
      const watcher = new EchoTrapMonitor();
      const success: (number | undefined)[] = [];
      for await (const { signals } of monitor(recordsFromJsonl(text, naming), watcher))
        success.push(signals.success);
      assert.equal(success.length, 110);
      assert.equal(fallOf(success), 84);
      const at = (rule: string): number => watcher.alarms.find((alarm) => alarm.rule === rule)!.update;
      assert.ok(at("entropy cliff") < 20);
      assert.ok(at("gradient spike") < 84);
      // verl reports no in-group std, and none of the three how varied responses are.
      assert.equal(watcher.blind.includes("std cliff"), naming === "verl");
      assert.ok(watcher.blind.includes("echo"));
    });
  }
});
