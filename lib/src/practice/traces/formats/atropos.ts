import { isObject, type Row } from "../../../monitor/logs/row";
import type { StoredTurn } from "../trace";
import { listOf, numberOf, without, type TraceFormat } from "./contract";
import { turnsOf } from "./messages";

const MASKED = -100;

/**
 * Atropos' scored data: a group a record, with `tokens`, `masks` and `scores` of each member, and `inference_logprobs`, `advantages` and
 * `messages` where there are some.
 *
 * A token is masked where its mask is -100. A run of tokens that are not is a turn; what was said before it is taken from the messages
 * where as many of them are the agent's.
 *
 * @see atroposlib 0.4.0 on PyPI: `envs/base.py` (`ScoredDataGroup`), `api/server.py` (`/scored_data`)
 */
export const atropos: TraceFormat = {
  title: "Atropos' scored data",
  is: (record) => Array.isArray(record.tokens) && Array.isArray(record.masks) && "scores" in record,
  read: (record, number) => {
    const where = `record ${number}`;
    const members = listOf<readonly number[]>(record.tokens, "tokens", where);
    const N = members.length;
    const masks = listOf<readonly number[]>(record.masks, "masks", where, N);
    const scores = listOf<number>(record.scores, "scores", where, N);
    const optional = <T>(name: string): readonly T[] | undefined =>
      record[name] === undefined || record[name] === null
        ? undefined
        : listOf<T>(record[name], name, where, N);
    const logprobs = optional<readonly number[]>("inference_logprobs");
    const advantages = optional<readonly number[]>("advantages");
    const chats = optional<readonly never[]>("messages");
    const overrides = optional<Row>("overrides");
    return members.map((tokens, n) => {
      const at = `${where}, member ${n}`;
      const said = chats?.[n] ? turnsOf(chats[n], at).map(({ observation }) => observation) : [];
      const turns = runsOf(listOf(masks[n], "masks", at, tokens.length)).map((cells): StoredTurn => {
        const pick = (values: readonly number[] | undefined, name: string): number[] | undefined =>
          values && cells.map((i) => listOf<number>(values, name, at, tokens.length)[i]!);
        const rollout = pick(logprobs?.[n], "inference_logprobs");
        const advantage = pick(advantages?.[n], "advantages");
        return {
          observation: "",
          tokens: cells.map((i) => tokens[i]!),
          ...(rollout && { rolloutLogProb: rollout }),
          ...(advantage && { advantage }),
        };
      });
      return {
        id: `${number}.${n}`,
        group: String(number),
        turns:
          said.length === turns.length ? turns.map((turn, t) => ({ ...turn, observation: said[t]! })) : turns,
        reward: numberOf(scores[n], "scores", at),
        truncated: false,
        extra: {
          ...without(record, [
            "tokens",
            "masks",
            "scores",
            "inference_logprobs",
            "advantages",
            "messages",
            "overrides",
          ]),
          ...(isObject(overrides?.[n]) && { overrides: overrides[n] }),
        },
      };
    });
  },
};

/** The places of each run of tokens that are not masked. */
function runsOf(mask: readonly number[]): number[][] {
  const runs: number[][] = [];
  mask.forEach((value, i) => {
    if (value === MASKED) return;
    if (i === 0 || mask[i - 1] === MASKED) runs.push([]);
    runs.at(-1)!.push(i);
  });
  return runs;
}
