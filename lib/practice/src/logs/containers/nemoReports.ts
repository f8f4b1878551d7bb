import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";

const heading = /={10,} (?<kind>Step|Epoch) (?<number>\d+)\/(?<of>\d+) ={10,}/;
const results = /\bTraining Results:$/;
/** "• Loss: 0.0481" */
const bullet = /•\s+(?<label>[A-Za-z][^:]*):\s+(?<value>[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf))$/i;

/** Labels of the console and the names that the same values have in wandb and TensorBoard. */
const names: Readonly<Record<string, string>> = {
  Loss: "loss",
  "Draft Loss": "draft_loss",
  "Generation KL Error": "gen_kl_error",
  "Avg Reward": "reward",
  // With dynamic sampling, `reward` is of all groups, and `filtered_reward` of those that were kept.
  "Avg Total Reward": "reward",
  "Avg Filtered Reward": "filtered_reward",
  "Mean Generation Length": "mean_gen_tokens_per_sample",
};

/**
 * Reads NeMo RL's reports: a heading for each step, and the training results some lines below. Blocks of validation and of timing, which
 * look alike, are passed over.
 *
 * @see https://github.com/NVIDIA-NeMo/RL: `nemo_rl/algorithms/grpo.py`
 */
export class NemoReports implements Blocks {
  #epoch = 1;
  #step: number | undefined;
  #block: Record<string, number> | undefined;

  push(line: string): Row[] | undefined {
    const head = heading.exec(line)?.groups;
    if (head) {
      const before = this.end();
      const [number, of] = [Number(head.number), Number(head.of)];
      // Each epoch counts its steps from 1; the heading states how many it has.
      if (head.kind === "Epoch") [this.#epoch, this.#step] = [number, undefined];
      else this.#step = (this.#epoch - 1) * of + number;
      return before;
    }
    if (results.test(line)) {
      const before = this.end();
      this.#block = {};
      return before;
    }
    if (this.#block === undefined) return undefined;
    const { label, value } = bullet.exec(line)?.groups ?? {};
    if (label === undefined) return this.end();
    const name = names[label];
    if (name !== undefined) this.#block[name] = notFinite(value) ?? Number(value);
    return [];
  }

  end(): Row[] {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined || Object.keys(block).length === 0) return [];
    return [{ ...(this.#step !== undefined && { step: this.#step }), ...block }];
  }
}
