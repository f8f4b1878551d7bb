import { isFiniteNumber, type Row } from "../../logs/row";
import { wordsOf } from "../trace";
import { without, type ReadFormat } from "./contract";
import { textOf, type Message } from "./messages";

const prompts = ["prompt", "question", "query", "instruction", "problem", "input"];
const answers = [
  "completion",
  "response",
  "generation",
  "model_output",
  "output",
  "answer_text",
  "prediction",
];
const rewards = ["reward", "score", "total_reward", "final_reward", "reward_total"];
const tasks = ["group", "group_id", "uid", "task_id", "prompt_id", "problem_id", "question_id", "idx"];

const isTextual = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.length > 0 && value.every(isMessage));
const isMessage = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as Row).role === "string";
const nameIn = (record: Row, names: readonly string[], is: (value: unknown) => boolean): string | undefined =>
  names.find((name) => is(record[name]));
const asText = (value: unknown): string =>
  typeof value === "string" ? value : (value as Message[]).map(textOf).join("\n");

/**
 * Prompts with answers, one a record, as many scripts write them: a text or messages under `prompt` or `question`, a text under
 * `completion` or `response`, and a number under `reward` or `score`.
 */
export const answerRecords: ReadFormat = {
  title: "prompts with answers",
  is: (record) =>
    nameIn(record, prompts, isTextual) !== undefined &&
    nameIn(record, answers, (value) => typeof value === "string") !== undefined &&
    nameIn(record, rewards, isFiniteNumber) !== undefined,
  read: (record, number) => {
    const prompt = nameIn(record, prompts, isTextual)!;
    const answer = nameIn(record, answers, (value) => typeof value === "string")!;
    const reward = nameIn(record, rewards, isFiniteNumber)!;
    const task = nameIn(record, tasks, (value) => typeof value === "string" || isFiniteNumber(value));
    const said = asText(record[prompt]);
    const step = isFiniteNumber(record.step) ? `${record.step}:` : "";
    return [
      {
        id: String(number),
        group: step + (task === undefined ? said : String(record[task])),
        turns: [{ observation: said, tokens: wordsOf(record[answer] as string) }],
        reward: record[reward] as number,
        truncated:
          record.truncated === true || record.is_truncated === true || record.finish_reason === "length",
        extra: without(record, [prompt, answer, reward]),
      },
    ];
  },
};
