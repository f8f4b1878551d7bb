import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";
import { isPairLine } from "./pairLines";

const number = String.raw`[-+]?(?:\d[\d,]*\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|nan|inf)`;
/** "Step: 3/400, " or "step 3 | ", after anything that a logger puts before it. */
const stepHead =
  /(?:^|[\s\])|-])(?:global[ _])?(?:step|iter(?:ation)?|update)s?[:= ]+\[?(?<step>\d+)(?:\s*\/\s*\d+)?\]?(?:\s*[,|;:]\s*|\s+)(?<rest>\S.*)$/i;
/** "Epoch:[1/1](3/9751), ", whose steps begin again in each epoch. */
const epochHead =
  /(?:^|[\s\])-])epoch:?\s*\[?(?<epoch>\d+)\/\d+\]?\s*\((?<step>\d+)\/(?<of>\d+)\)\s*[,|;:]?\s+(?<rest>\S.*)$/i;
/** "Reward Mean: 0.42", "Hit limit: 12.5%", "Iteration time: 61.02s." */
const labelled = new RegExp(
  String.raw`^(?<label>[A-Za-z][\w ./@()-]*?)\s*[:=]\s*(?<value>${number})(?<percent>\s*%)?(?:\s*[a-z]{1,4}(?:\/[a-z]+)?)?\.?$`,
  "i",
);

/** "average reward score: 0.43", in later releases with a running mean behind it. */
const score = new RegExp(
  String.raw`^(?<label>average reward score)\b[^:]*:\s*(?<value>${number})(?:\s|$)`,
  "i",
);

/** Labels with a number that make a report: one or two may stand in any line. */
const FEWEST = 4;

const nameOf = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.@()-]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");

/** The labels of a line with their numbers; undefined unless nearly all of its parts are such. */
function pairsOf(rest: string): Record<string, number> | undefined {
  const parts = rest.split(/[,;]\s+|\s*\|\s*/).filter((part) => part.trim() !== "");
  const found = parts.flatMap((part) => {
    const groups = labelled.exec(part.trim())?.groups;
    if (groups === undefined) return [];
    const value = notFinite(groups.value) ?? Number(groups.value!.replaceAll(",", ""));
    return [[nameOf(groups.label!), value / (groups.percent === undefined ? 1 : 100)] as const];
  });
  // A sentence has a number after a colon, too.
  return found.length < FEWEST || 2 * found.length <= parts.length ? undefined : Object.fromEntries(found);
}

/**
 * Reads lines that name a step and then a number for each of several labels: "Step: 3/400, Reward Mean: 0.42, ...", as Cosmos-RL's console
 * has them, "Epoch:[1/1](3/9751), Reward: -1.4, ...", as minimind's, and "epoch: 0|step: 3|ppo_ep: 1|act_loss: 0.1|...", as DeepSpeed-Chat's.
 *
 * @see https://github.com/nvidia-cosmos/cosmos-rl: `cosmos_rl/dispatcher/status.py`;
 * https://github.com/deepspeedai/DeepSpeedExamples: `applications/DeepSpeed-Chat/training/step3_rlhf_finetuning/main.py`
 */
export class LabelledLines implements Blocks {
  #row: Record<string, number> | undefined;

  push(line: string): Row[] | undefined {
    const scored = this.#score(line);
    if (scored !== undefined || isPairLine(line)) return scored;
    const ofEpoch = epochHead.exec(line)?.groups;
    const head = ofEpoch ?? stepHead.exec(line)?.groups;
    const pairs = head && pairsOf(head.rest!);
    if (head === undefined || pairs === undefined) return undefined;
    const before = ofEpoch === undefined ? 0 : (Number(ofEpoch.epoch) - 1) * Number(ofEpoch.of);
    const last = this.end();
    this.#row = { step: before + Number(head.step), ...pairs };
    return last;
  }

  /** Takes a reward that DeepSpeed-Chat prints on a line below that of its step. */
  #score(line: string): Row[] | undefined {
    const { label, value } = score.exec(line)?.groups ?? {};
    if (this.#row === undefined || label === undefined) return undefined;
    this.#row[nameOf(label)] = notFinite(value) ?? Number(value);
    return [];
  }

  end(): Row[] {
    const row = this.#row;
    this.#row = undefined;
    return row === undefined ? [] : [row];
  }
}
