import { isObject, type Row } from "../../../monitor/logs/row";
import { wordsOf, type StoredTurn } from "../trace";
import { listOf, numberOf, without, type TraceFormat } from "./contract";

/** A message of a chat, as OpenAI's API and most frameworks have it. */
interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly logprobs?: unknown;
}

/** What a message says: its text, the texts of its parts, and its tool calls as JSON. */
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

/** Turns of a chat: each message of the assistant, with all that was said to it since the one before. */
export function turnsOf(messages: readonly Message[], where: string): StoredTurn[] {
  const turns: StoredTurn[] = [];
  let heard: string[] = [];
  messages.forEach((message, i) => {
    if (message.role !== "assistant") {
      heard.push(textOf(message));
      return;
    }
    turns.push({
      observation: heard.join("\n"),
      ...tokensOf(message, `${where}, message ${i}`),
      info: { message: i, ...(message.tool_calls ? { tool_calls: message.tool_calls } : {}) },
    });
    heard = [];
  });
  return turns;
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

/**
 * Chats, one a record: `messages` with `role`, `content`, `tool_calls`, and `logprobs` as OpenAI's API gives them, where a token may also
 * have its `trainer_logprob` and its `advantage`; `reward`, and `id` and `group` where there are some. Without a group, chats that begin with the same messages up to the first answer are one.
 */
export const messages: TraceFormat = {
  title: "chat messages",
  is: (record) => Array.isArray(record.messages) && ("reward" in record || "score" in record),
  read: (record, number) => {
    const where = `record ${number}`;
    const turns = turnsOf(listOf<Message>(record.messages, "messages", where), where);
    return [
      {
        id: String(record.id ?? number),
        group: String(record.group ?? turns[0]?.observation ?? ""),
        turns,
        reward: numberOf(record.reward ?? record.score, "reward", where),
        truncated: record.truncated === true,
        extra: without(record, ["messages", "reward", "id", "group", "truncated"]),
      },
    ];
  },
};
