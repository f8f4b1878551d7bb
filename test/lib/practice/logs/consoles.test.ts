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
        [0, 0.05, 0.4, 0.125],
        [1, 0.15, 0.2, 0.125],
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
