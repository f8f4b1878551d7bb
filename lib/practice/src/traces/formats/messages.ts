import { isObject, type Row } from "../../logs/row";
import { textOfTokens, wordsOf, type StoredTrajectory, type StoredTurn } from "../trace";
import { listOf, numberOf, refuseToWrite, without, type TraceFormat } from "./contract";

/** A message of a chat, as OpenAI's API and most frameworks have it. */
export interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly logprobs?: unknown;
}

/** Text of a message: its own, that of its parts, and its tool calls as JSON. */
export function textOf({ content, tool_calls: calls }: Message): string {
  const parts = Array.isArray(content) ? content : content === null || content === undefined ? [] : [content];
  const said = parts.map((part) =>
    isObject(part) ? String(part.text ?? JSON.stringify(part)) : String(part),
  );
  const called = Array.isArray(calls)
    ? calls.map((call: unknown) => JSON.stringify(isObject(call) ? (call.function ?? call) : call))
    : [];
  return [...said, ...called].join("\n");
}

/**
 * Turns of a chat: each message of the assistant, with all that was said to it since the one before, as text and, in `info.heard`, as it
 * was; what came after the last one is the `info.after` of that.
 */
export function turnsOf(messages: readonly Message[], where: string): StoredTurn[] {
  const turns: StoredTurn[] = [];
  let heard: Message[] = [];
  messages.forEach((message, i) => {
    if (message.role !== "assistant") {
      heard.push(message);
      return;
    }
    turns.push({
      observation: heard.map(textOf).join("\n"),
      ...tokensOf(message, `${where}, message ${i}`),
      info: {
        message: i,
        heard,
        // Tokens that stand beside a message need not be its text.
        ...(message.logprobs ? { said: message.content ?? null } : {}),
        ...(message.tool_calls ? { tool_calls: message.tool_calls } : {}),
      },
    });
    heard = [];
  });
  const last = turns.pop();
  if (last === undefined) return turns;
  return [...turns, heard.length > 0 ? { ...last, info: { ...last.info, after: heard } } : last];
}

/** Its tokens with log-probs, as `{ content: [{ token, logprob }] }`, and what else stands beside all of them; else its words. */
function tokensOf(message: Message, where: string): Omit<StoredTurn, "observation" | "info"> {
  const { logprobs } = message;
  const content = isObject(logprobs) ? logprobs.content : logprobs;
  if (content === undefined || content === null) return { tokens: wordsOf(textOf(message)) };
  const entries = listOf<Row>(content, "logprobs", where);
  const beside = (name: string): readonly number[] | undefined =>
    entries.length > 0 && entries.every((entry) => entry[name] !== undefined)
      ? entries.map((entry) => numberOf(entry[name], name, where))
      : undefined;
  const trainer = beside("trainer_logprob");
  const advantage = beside("advantage");
  return {
    tokens: entries.map((entry) => entry.token as string | number),
    rolloutLogProb: entries.map((entry) => numberOf(entry.logprob, "logprob", where)),
    ...(trainer && { logProb: trainer }),
    ...(advantage && { advantage }),
  };
}

/** Text of a turn without its calls: a message's text ends in its calls. */
function saidOf(turn: StoredTurn, text: string | undefined): Pick<Message, "content" | "tool_calls"> {
  const calls = turn.info?.tool_calls;
  const said = turn.info && "said" in turn.info;
  if (said) return { content: turn.info!.said, ...(Array.isArray(calls) && { tool_calls: calls }) };
  if (!Array.isArray(calls)) return { content: text ?? null };
  const called = textOf({ role: "assistant", tool_calls: calls });
  const alone = text === undefined || text === called || !text.endsWith(`\n${called}`);
  return { content: alone ? null : text.slice(0, -called.length - 1), tool_calls: calls };
}

/** Elsewhere what comes after a turn is tokens. */
const isChat = (after: readonly unknown[] | undefined): after is readonly Message[] =>
  after?.every(isObject) === true;

/**
 * Turns as a chat: what was said to the agent as one message each time, of a tool where the turn before called one.
 *
 * @throws {RangeError} if tokens are numbers and have no log-probs that would hold them
 */
export function chatOf({ id, turns }: StoredTrajectory, title: string): Message[] {
  return turns.flatMap((turn, t): Message[] => {
    const text = textOfTokens(turn);
    if (text === undefined && turn.rolloutLogProb === undefined && turn.info?.said === undefined) {
      refuseToWrite(
        title,
        "tokens of text, or log-probs beside them",
        `turn ${t} of trajectory ${id} has numbers alone`,
      );
    }
    const role = t > 0 && turns[t - 1]!.info?.tool_calls ? "tool" : "user";
    const { heard, after } = (turn.info ?? {}) as { heard?: readonly Message[]; after?: readonly Message[] };
    // Messages as they were, unless the turn was given something else to hear.
    const said = heard?.map(textOf).join("\n") === turn.observation ? heard : undefined;
    const alone = turn.observation === "" ? [] : [{ role, content: turn.observation }];
    const logprobs = turn.rolloutLogProb && {
      content: turn.tokens.map((token, l) => ({
        token,
        logprob: turn.rolloutLogProb![l],
        ...(turn.logProb && { trainer_logprob: turn.logProb[l] }),
        ...(turn.advantage && { advantage: turn.advantage[l] }),
      })),
    };
    const answer = { role: "assistant", ...saidOf(turn, text), ...(logprobs && { logprobs }) };
    return [...(said ?? alone), answer, ...(t === turns.length - 1 && isChat(after) ? after : [])];
  });
}

/** Names that frameworks give to the chat of a record, the task that its group shares, and its number. */
const chats = ["messages", "traj", "trajectory", "conversation", "conversations"];
const tasks = ["group", "group_id", "uid", "task_id"];
const ids = ["id", "trajectory_id", "sample_id"];

const firstOf = (record: Row, names: readonly string[]): string | undefined =>
  names.find((name) => record[name] !== undefined && record[name] !== null);

/** The name of the field that holds a list of messages. */
const chatIn = (record: Row): string | undefined =>
  chats.find((name) => {
    const value = record[name];
    return Array.isArray(value) && (name === "messages" || (value.length > 0 && value.every(isMessage)));
  });

const isMessage = (value: unknown): boolean => isObject(value) && typeof value.role === "string";

/**
 * Chats, one a record: `messages` (or `traj`, `trajectory`, `conversation`) with `role`, `content`, `tool_calls`, and `logprobs` as OpenAI's API gives them, where a token may also
 * have its `trainer_logprob` and its `advantage`; `reward` or `score`, and `id` and `group` (or `task_id`, `uid`) where there are some. Without a group, chats that begin
 * with the same messages up to the first answer are one.
 */
export const messages: TraceFormat = {
  title: "chat messages",
  is: (record) => chatIn(record) !== undefined && ("reward" in record || "score" in record),
  read: (record, number) => {
    const where = `record ${number}`;
    const chat = chatIn(record) ?? "messages";
    const [task, id] = [firstOf(record, tasks), firstOf(record, ids)];
    const turns = turnsOf(listOf<Message>(record[chat], chat, where), where);
    return [
      {
        id: String(id === undefined ? number : record[id]),
        group: String(task === undefined ? (turns[0]?.observation ?? "") : record[task]),
        turns,
        reward: numberOf(record.reward ?? record.score, "reward", where),
        truncated: record.truncated === true,
        extra: without(record, [
          ...[chat, "reward", "truncated", "id", "group"],
          ...(task === undefined ? [] : [task]),
          ...(id === undefined ? [] : [id]),
        ]),
      },
    ];
  },
  write: ([one]) => ({
    id: one!.id,
    group: one!.group,
    messages: chatOf(one!, "chat messages"),
    reward: one!.reward,
    ...(one!.truncated && { truncated: true }),
    ...one!.extra,
  }),
};
