import { isFiniteNumber, type Row } from "../../logs/row";
import type { StoredTrajectory, StoredTurn } from "../trace";
import { listOf, numberOf, without, type ReadFormat } from "./contract";

/** Names that trainers give to the tokens of an answer, as the engine sampled them. */
const answers = [
  "completion_ids",
  "completion_token_ids",
  "response_ids",
  "response_token_ids",
  "rollout_ids",
  "rollout_token_ids",
  "output_ids",
  "output_token_ids",
  "generated_ids",
  "responses",
];
/** Of prompt and answer together. */
const wholes = ["tokens", "input_ids", "token_ids"];
/** Of an answer as the trainer has it, where that is another list. */
const trainers = [
  "trainer_ids",
  "trainer_token_ids",
  "trainer_completion_ids",
  "train_ids",
  "train_token_ids",
  "train_completion_ids",
  "retokenized_ids",
];
const prompts = ["prompt_ids", "prompt_token_ids", "prompts"];
const masks = [
  "loss_mask",
  "response_mask",
  "completion_mask",
  "assistant_mask",
  "assistant_masks",
  "loss_masks",
  "mask",
  "masks",
];
const ofEngine = [
  "rollout_log_probs",
  "rollout_logprobs",
  "rollout_log_prob",
  "sampling_logprobs",
  "sampling_per_token_logps",
  "inference_logprobs",
  "completion_logprobs",
  "response_logprobs",
  "vllm_logprobs",
  "logprobs",
];
const ofTrainer = [
  "trainer_logprobs",
  "trainer_log_probs",
  "train_logprobs",
  "train_log_probs",
  "old_log_probs",
  "old_logprobs",
  "old_log_prob",
  "old_per_token_logps",
  "per_token_logps",
  "log_probs",
  "logps",
];
const rewards = ["reward", "score", "raw_reward", "return", "rewards"];
const tasks = ["group", "group_id", "group_index", "uid", "task_id", "prompt_id", "prompt"];
const ids = ["id", "trajectory_id", "sample_id", "rollout_id", "index"];
const ends = ["eos_token_id", "pad_token_id"];

const numbersAt = (
  record: Row,
  names: readonly string[],
): readonly [string, readonly number[]] | undefined => {
  for (const name of names) {
    const value = record[name];
    if (Array.isArray(value) && value.length > 0 && value.every(isFiniteNumber)) return [name, value];
  }
  return undefined;
};
const named = (record: Row, names: readonly string[], is: (value: unknown) => boolean): string | undefined =>
  names.find((name) => is(record[name]));
const isText = (value: unknown): boolean =>
  (typeof value === "string" && value !== "") || isFiniteNumber(value);

/** The tokens of the answer with their mask, of whatever the record has. */
function answerOf(record: Row): {
  readonly tokens: readonly number[];
  readonly mask: readonly number[] | undefined;
  readonly prompt: readonly number[];
  /** The token of the answer at which its mask begins, if that shows where it should. */
  readonly maskBegins?: number | undefined;
} {
  const [, answer] = numbersAt(record, answers) ?? [];
  const [, whole] = numbersAt(record, wholes) ?? [];
  const [, prompt] = numbersAt(record, prompts) ?? [];
  const values = masks.map((name) => record[name]).find((value) => Array.isArray(value) && value.length > 0);
  const mask = (values as readonly unknown[] | undefined)?.map((one) => Number(one));
  const begins = mask?.findIndex((one) => one !== 0) ?? -1;
  if (answer !== undefined) {
    const maskBegins = begins < 0 || mask!.length !== answer.length ? undefined : begins;
    return { tokens: answer, mask, prompt: prompt ?? [], maskBegins };
  }
  const all = whole!;
  if (mask !== undefined && mask.length === all.length) {
    const from = begins < 0 ? all.length : begins;
    return {
      tokens: all.slice(from),
      mask: mask.slice(from),
      prompt: all.slice(0, from),
      maskBegins: prompt === undefined || begins < 0 ? undefined : from - prompt.length,
    };
  }
  const length = isFiniteNumber(record.response_length) ? record.response_length : mask?.length;
  const from = length === undefined ? (prompt?.length ?? 0) : Math.max(0, all.length - length);
  return { tokens: all.slice(from), mask, prompt: all.slice(0, from) };
}

/** The trainer's tokens for an answer, if the record has them as well. */
function trainerIds(record: Row, tokens: readonly number[]): readonly number[] | undefined {
  const [, own] = numbersAt(record, trainers) ?? [];
  if (own !== undefined) return own;
  const [, whole] = numbersAt(record, wholes) ?? [];
  const [, prompt] = numbersAt(record, prompts) ?? [];
  if (whole === undefined || numbersAt(record, answers) === undefined) return undefined;
  if (prompt !== undefined && whole.length >= prompt.length) return whole.slice(prompt.length);
  return whole.length > tokens.length ? whole.slice(-tokens.length) : whole;
}

/** The places of each run of trained tokens. */
function runsOf(mask: readonly number[]): number[][] {
  const runs: number[][] = [];
  mask.forEach((value, i) => {
    if (value === 0) return;
    if (i === 0 || mask[i - 1] === 0) runs.push([]);
    runs.at(-1)!.push(i);
  });
  return runs;
}

/** Log-probs of each token; those of a whole sequence without those of its prompt. */
function besides(
  values: readonly number[] | undefined,
  tokens: number,
  prompt: number,
): readonly number[] | undefined {
  return values !== undefined && prompt > 0 && values.length === tokens + prompt
    ? values.slice(prompt)
    : values;
}

/**
 * Tokens, one trajectory a record, as trainers write them to look at: the ids of an answer (`completion_ids`, `response_ids`, ..., or `tokens` with a
 * mask or a `response_length`), a `loss_mask`, log-probs of the engine (`rollout_log_probs`, `logprobs`, ...) and of the trainer
 * (`old_log_probs`, `per_token_logps`, ...), and `reward` or `score`.
 *
 * Lists need not be equally long: how long they are is in `info.lengths` of the first turn, and lists that fit no token are left out. Ids that the trainer has for the same answer are its `info.trainerIds`.
 */
export const tokens: ReadFormat = {
  title: "token records",
  is: (record) =>
    named(record, rewards, isFiniteNumber) !== undefined &&
    (numbersAt(record, answers) !== undefined ||
      (numbersAt(record, wholes) !== undefined &&
        (numbersAt(record, masks) !== undefined || isFiniteNumber(record.response_length)))),
  read: (record, number) => {
    const where = `record ${number}`;
    const { tokens: answer, mask: given, prompt, maskBegins } = answerOf(record);
    const mask = given?.length === answer.length ? given : undefined;
    const rollout = besides(numbersAt(record, ofEngine)?.[1], answer.length, prompt.length);
    const trainer = besides(numbersAt(record, ofTrainer)?.[1], answer.length, prompt.length);
    const advantage = Array.isArray(record.advantages)
      ? listOf<number>(record.advantages, "advantages", where)
      : undefined;
    const lengths = {
      tokens: answer.length,
      ...(given !== undefined && { mask: given.length }),
      ...(rollout !== undefined && { rollout: rollout.length }),
      ...(trainer !== undefined && { trainer: trainer.length }),
    };
    const other = trainerIds(record, answer);
    const endIds = ends.map((name) => record[name]).filter(isFiniteNumber);
    const cells = mask === undefined ? [answer.map((_, i) => i)] : runsOf(mask);
    const pick = (values: readonly number[] | undefined, at: readonly number[]): number[] | undefined =>
      values?.length === answer.length ? at.map((i) => values[i]!) : undefined;
    const turns = cells.map((at, turn): StoredTurn => {
      const [own, of, push] = [pick(trainer, at), pick(rollout, at), pick(advantage, at)];
      return {
        observation: turn === 0 && typeof record.prompt === "string" ? record.prompt : "",
        tokens: at.map((i) => answer[i]!),
        ...(own && { logProb: own }),
        ...(of && { rolloutLogProb: of }),
        ...(push && { advantage: push }),
        info: {
          ...(turn === 0 && { lengths }),
          ...(turn === 0 && maskBegins !== undefined && { maskBegins }),
          ...(turn === 0 && other !== undefined && { rolloutIds: answer, trainerIds: other }),
          ...(endIds.length > 0 && { endIds }),
          ...(mask !== undefined && { isMasked: true }),
        },
      };
    });
    const task = named(record, tasks, isText);
    const id = named(record, ids, isText);
    const reward = named(record, rewards, isFiniteNumber)!;
    const one: StoredTrajectory = {
      id: String(id === undefined ? number : record[id]),
      group: task === undefined ? JSON.stringify(prompt) : String(record[task]),
      turns,
      reward: numberOf(record[reward], reward, where),
      truncated:
        record.truncated === true ||
        record.is_truncated === true ||
        record.finish_reason === "length" ||
        /^truncated$/i.test(String(record.status ?? "")),
      extra: without(record, [
        ...[...answers, ...wholes, ...trainers, ...prompts, ...masks, ...ofEngine, ...ofTrainer, ...ends],
        ...["advantages", "prompt", reward],
        ...(task === undefined ? [] : [task]),
        ...(id === undefined ? [] : [id]),
      ]),
    };
    return [one];
  },
};
