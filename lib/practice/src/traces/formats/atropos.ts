import { isObject, type Row } from "../../logs/row";
import type { StoredTrajectory, StoredTurn } from "../trace";
import { listOf, numberOf, refuseToWrite, without, type TraceFormat } from "./contract";
import { turnsOf } from "./messages";

const MASKED = -100;

/**
 * Atropos' scored data: a group a record, with `tokens`, `masks` and `scores` of each member, and `inference_logprobs`, `advantages` and
 * `messages` where there are some.
 *
 * A token is masked where its mask is -100; what was masked before a turn is its `info.context`, and what came after the last one the
 * `info.after` of that. A run of tokens that are not is a turn; what was said before it is taken from the messages
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
      const runs = runsOf(listOf(masks[n], "masks", at, tokens.length));
      const turns = runs.map((cells, turn): StoredTurn => {
        const pick = (values: readonly number[] | undefined, name: string): number[] | undefined =>
          values && cells.map((i) => listOf<number>(values, name, at, tokens.length)[i]!);
        const rollout = pick(logprobs?.[n], "inference_logprobs");
        const advantage = pick(advantages?.[n], "advantages");
        const context = tokens.slice(turn === 0 ? 0 : runs[turn - 1]!.at(-1)! + 1, cells[0]);
        const after = turn === runs.length - 1 ? tokens.slice(cells.at(-1)! + 1) : [];
        return {
          observation: "",
          info: { context, ...(after.length > 0 && { after }) },
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
  grouped: true,
  write: (group) => {
    const extra = group.map((one) => without(one.extra, ["overrides"]));
    const overrides = group.map((one) => one.extra.overrides);
    const everywhere = (name: "rolloutLogProb" | "advantage"): boolean =>
      group.every(({ turns }) => turns.every((turn) => turn[name] !== undefined));
    const chats = group.map(chatAround);
    return {
      ...extra[0],
      tokens: group.map((one) =>
        laidOut(
          one,
          ({ tokens }) => tokens,
          (token) => token,
        ),
      ),
      masks: group.map((one) =>
        laidOut(
          one,
          ({ tokens }) => tokens,
          () => MASKED,
        ),
      ),
      scores: group.map((one) => one.reward),
      ...(everywhere("rolloutLogProb") && {
        inference_logprobs: group.map((one) =>
          laidOut(
            one,
            (turn) => turn.rolloutLogProb!,
            () => 1,
          ),
        ),
      }),
      ...(everywhere("advantage") && {
        advantages: group.map((one) =>
          laidOut(
            one,
            (turn) => turn.advantage!,
            () => 0,
          ),
        ),
      }),
      ...(chats.some((chat) => chat.length > 0) && { messages: chats }),
      ...(overrides.some((one) => one !== undefined) && { overrides: overrides.map((one) => one ?? null) }),
    };
  },
};

/** Messages to the agent, if known as text; its own are in the tokens. */
const chatAround = ({ turns }: StoredTrajectory): object[] =>
  turns.every(({ observation }) => observation === "")
    ? []
    : turns.flatMap(({ observation }) => [
        { role: "user", content: observation },
        { role: "assistant", content: null },
      ]);

/** A line of numbers over all tokens: those of the turns, and what stands for masked ones between them. */
function laidOut(
  { id, turns }: StoredTrajectory,
  own: (turn: StoredTurn) => readonly (number | string)[],
  masked: (token: number) => number,
): number[] {
  return turns.flatMap((turn, t) => {
    const { context, after = [] } = (turn.info ?? {}) as { context?: number[]; after?: number[] };
    const numbers = turn.tokens.every((token) => typeof token === "number");
    if (!numbers || context === undefined || (t > 0 && context.length === 0)) {
      const has = numbers ? "none before it" : "pieces of text";
      refuseToWrite(
        "Atropos' scored data",
        "numbers for tokens, and in info.context those before each turn",
        `turn ${t} of trajectory ${id} has ${has}`,
      );
    }
    return [...context!.map(masked), ...(own(turn) as number[]), ...after.map(masked)];
  });
}

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
