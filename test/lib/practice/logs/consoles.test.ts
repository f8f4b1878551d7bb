import assert from "node:assert/strict";
import { readLog } from "turnwise-practice";

describe("readLog() of a console", () => {
  const block = (it: number, reward: string, hit: string): string =>
    `Training:  1%|▏  | ${it}/600 [00:10<09:00, 1.2s/it, loss=0.001, it/s=0.3]\r\n${"=".repeat(80)}\nIter ${it}:\n${"-".repeat(80)}\n` +
    `Loss: 0.003\nTotal Rewards:  μ=${reward}, σ=0.310\nGroup Rewards:  μ=${reward}, σ=0.210\nKL Divergence: 0.004000000000\n${"-".repeat(80)}\n` +
    `Generation Stats:\n  • Avg tokens: 120.5\n  • Min tokens: 20\n  • Max tokens: 512 (limit: 512)\n  • Hit limit: ${hit}\n${"-".repeat(80)}\n` +
    `Individual Reward Functions:\n  • accuracy: μ=0.300, σ=0.100, cov=100.00%\n${"-".repeat(80)}\n` +
    `Clipping:  low=0.000, high=0.010, total=0.010\nLearning Rate: 1.0000e-05\nSpeed: 0.310 it/s, 300.1 tok/s\nMemory: 12.100GB\n${"=".repeat(80)}\n`;

  it("reads the blocks of mlx-lm-lora, a record each", () => {
    const log = readLog(
      `Loading model\n${block(10, "0.250", "12.5%")}Iter 10: Saved adapter weights to a.\n${block(20, "nan", "0.0%")}`,
    );
    assert.equal(log.framework, "mlxLmLora");
    assert.equal(log.container, "console");
    assert.deepEqual(log.records[0], {
      update: 10,
      metrics: {
        "reward/mean": 0.25,
        "reward/std": 0.21,
        "policy/loss": 0.003,
        "policy/klReference": 0.004,
        "policy/clipFrac": 0.01,
        "policy/clipFracLow": 0,
        "policy/clipFracHigh": 0.01,
        "tokens/mean": 120.5,
        // 12.5%.
        "tokens/fracTruncated": 0.125,
      },
    });
    assert.deepEqual(log.records[1]!.notFinite, { total_rewards_mean: NaN });
    assert.deepEqual(log.unknown, []);
  });

  it("reads its former lines, where a report is one line", () => {
    const line = (it: number): string =>
      `Iter ${it}: Train loss 0.004, Total rewards mean 0.${it}, Total rewards std 0.3, Grouped rewards mean 0.1, Grouped rewards std 0.2, ` +
      `Average Generated Tokens 120.5, KL 0.012, r1_accuracy_reward_func mean 0.3, r1_accuracy_reward_func std 0.1, Learning Rate 1.000e-05, It/sec 0.31, Tokens/sec 300.1, Peak mem 12.1 GB\n`;
    const log = readLog(`Iter 1: Val loss 0.300, Val took 2.1s\n${line(10)}${line(20)}`);
    assert.equal(log.framework, "mlxLmLora");
    assert.deepEqual(
      log.records.map(({ update, metrics }) => [
        update,
        metrics["reward/mean"],
        metrics["policy/klReference"],
      ]),
      [
        [10, 0.1, 0.012],
        [20, 0.2, 0.012],
      ],
    );
  });

  describe("the progress bar of a trainer", () => {
    const bar = (n: number, of = 200): string =>
      `\r  ${n / 2}%|█▏        | ${n}/${of} [00:10<33:10,  1.2s/it]`;
    const dict = (n: number): string =>
      `{'loss': 0.01, 'grad_norm': 0.5, 'reward': 0.${n}, 'kl': 0.01, 'epoch': ${n / 100}}\n`;
    const steps = (text: string): number[] => readLog(text).records.map(({ update }) => update);
    const clear = `\r${" ".repeat(60)}\r`;

    it("tells the steps of lines that are ten steps apart and name none", () => {
      const text = [10, 20, 30].map((n) => `${bar(n - 1)}${bar(n)}${clear}${dict(n)}${bar(n)}`).join("");
      assert.deepEqual(steps(text), [10, 20, 30]);
      // Bars of data, of an engine and of validation are others'.
      const others = `\rMap: 100%|██| 7473/7473 [00:01<00:00]\rProcessed prompts:  50%|██| 8/16 [00:01<00:00]\n`;
      assert.deepEqual(steps([10, 20, 30].map((n) => `${bar(n)}${others}${dict(n)}`).join("")), [10, 20, 30]);
      assert.doesNotMatch(readLog(text).notes.join(), /counted/);
    });

    it("does not where output was held back and came in blocks, and the page says so", () => {
      const log = readLog(`${bar(10)}${bar(20)}${bar(30)}\n${dict(10)}${dict(20)}${dict(30)}`);
      assert.deepEqual(
        log.records.map(({ update }) => update),
        [1, 2, 3],
      );
      assert.match(log.notes.join(), /counted from 1, while its progress bar counts to 200/);
    });

    it("does not where lines name their steps", () => {
      const named = (n: number): string => dict(n).replace("'epoch'", `'step': 7${n}, 'epoch'`);
      assert.deepEqual(steps([1, 2, 3].map((n) => bar(n) + clear + named(n)).join("")), [71, 72, 73]);
    });
  });

  describe("slime's two numbers", () => {
    const EACH = 4;
    const rollouts = Array.from({ length: 30 }, (_, n) => ({
      "rollout/step": n,
      "rollout/raw_reward": n,
      "rollout/advantages": 0,
    }));
    const steps = Array.from({ length: 30 * EACH }, (_, t) => ({
      "train/step": t,
      "train/entropy_loss": 1 + (t % EACH) / 10,
      // One spike in the middle of a rollout, which its last step hides.
      "train/grad_norm": t === 10 * EACH + 1 ? 401 : 1,
    }));
    const told = (rows: readonly object[]): (readonly (number | undefined)[])[] =>
      readLog(rows.map((row) => JSON.stringify(row)).join("\n")).records.map(({ update, metrics }) => [
        update,
        metrics["reward/mean"],
        metrics["policy/entropy"],
        metrics["policy/gradNorm"],
      ]);
    const expected = rollouts.map((row, n) => [n, row["rollout/raw_reward"], 1.15, n === 10 ? 101 : 1]);
    const close = (found: readonly (readonly (number | undefined)[])[]): void => {
      assert.deepEqual(
        found.map((one) => one.map((value) => Number(value?.toFixed(9)))),
        expected,
      );
    };

    it("puts several optimizer steps to their rollout in JSONL, with their mean", () => {
      close(told(rollouts.flatMap((row, n) => [row, ...steps.slice(n * EACH, (n + 1) * EACH)])));
    });

    it("finds the rollout by the numbers where lines stand in another order", () => {
      close(told([...steps, ...rollouts]));
      // Sampled ahead of what trains.
      close(
        told(
          rollouts.flatMap((_, n) => [
            ...rollouts.slice(n === 0 ? 0 : n + 1, n + 2),
            ...steps.slice(n * EACH, (n + 1) * EACH),
          ]),
        ),
      );
    });

    it("reads the lines of event files, which have one number alone", () => {
      const ofEvents = (row: object): object[] => {
        const [[, step], ...values] = Object.entries(row) as [[string, number], ...[string, number][]];
        return values.map(([name, value]) => ({ step, [name]: value }));
      };
      close(
        told(rollouts.flatMap((row, n) => [row, ...steps.slice(n * EACH, (n + 1) * EACH)].flatMap(ofEvents))),
      );
    });

    it("keeps a NaN of one optimizer step, says how many there are, and repeats what a resume does", () => {
      const lines = rollouts.flatMap((row, n) => [row, ...steps.slice(n * EACH, (n + 1) * EACH)]);
      const nan = lines.map((row) =>
        "train/step" in row && row["train/step"] === 41 ? { ...row, "train/grad_norm": "NaN" } : row,
      );
      const log = readLog(nan.map((row) => JSON.stringify(row)).join("\n"));
      assert.deepEqual(Object.keys(log.records[10]!.notFinite ?? {}), ["train/grad_norm"]);
      assert.match(log.notes.join(), /up to 4 optimizer steps/);
      const from = lines.findIndex((row) => "rollout/step" in row && row["rollout/step"] === 20);
      close(told([...lines, ...lines.slice(from)]));
    });
  });

  it("reads slime's lines, whose optimizer steps belong to the rollout before them", () => {
    const rollout = (n: number): string =>
      `(RolloutManager pid=1) perf ${n}: {'rollout/response_len/mean': 512.5, 'rollout/truncated_ratio': 0.125, 'perf/rollout_time': 22.1}\n` +
      `(MegatronTrainRayActor pid=2) rollout ${n}: {'rollout/raw_reward': 0.${n}5, 'rollout/advantages': 0.0, 'rollout/log_probs': -0.4}\n`;
    const step = (n: number, entropy: number): string =>
      `(MegatronTrainRayActor pid=2) step ${n}: {'train/loss': 0.001, 'train/entropy_loss': ${entropy}, 'train/grad_norm': 0.3, 'train/step': ${n}}\n`;
    // Two optimizer steps a rollout: 0 and 1 are of rollout 0, 2 and 3 of rollout 1.
    const log = readLog(rollout(0) + step(0, 0.5) + step(1, 0.4) + rollout(1) + step(2, 0.3) + step(3, 0.2));
    assert.equal(log.framework, "slime");
    assert.equal(log.runs.length, 1);
    assert.deepEqual(
      log.records.map(({ update, metrics }) => [
        update,
        metrics["reward/mean"],
        metrics["policy/entropy"],
        metrics["tokens/fracTruncated"],
      ]),
      [
        [0, 0.05, 0.45, 0.125],
        [1, 0.15, 0.25, 0.125],
      ],
    );
    assert.deepEqual(log.unknown, []);
    const alone = readLog(step(4, 0.5) + step(5, 0.4));
    assert.deepEqual(
      alone.records.map(({ update }) => update),
      [4, 5],
    );
  });
});
