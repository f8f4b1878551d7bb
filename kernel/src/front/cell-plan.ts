import type { JsonObject, Message } from "../protocol/message.js";
import type { ExecuteCommand } from "../session/messages.js";
import type { CellNames, Prepared } from "../types/messages.js";
import { questionedName } from "../magics/question.js";
import { inspection } from "./inspection.js";
import { plainError, type CellResult } from "./running-cell.js";
import type { Types } from "./host.js";

/** Plan for a cell: its result, if no session is needed, or the command that runs it. */
export type CellPlan = { readonly names?: CellNames | undefined } & (
  { result: CellResult } | { command: ExecuteCommand; warning: string | undefined }
);

/** Checks and transforms a cell, or answers one that is no program: an empty cell, or a question `name?`. */
export async function planCell(
  { header, content }: Message,
  o: { name: string; executionCount: number },
  types: Types,
): Promise<CellPlan> {
  const { code } = content;
  if (typeof code !== "string") {
    const evalue = `Cannot run a cell: code must be a string, got ${typeof code}.`;
    return { result: { error: plainError("TypeError", evalue) } };
  }
  if (code.trim() === "") return { result: {} };
  const asked = questionedName(code);
  if (asked !== undefined) return { result: { payload: await explain(asked, types) } };
  let prepared: Prepared;
  try {
    const expressions = (content.user_expressions ?? {}) as Record<string, string>;
    prepared = await types.ask("prepare", { code, name: o.name, expressions });
  } catch (error) {
    return { result: { error: plainError("KernelError", (error as Error).message) } };
  }
  const { names } = prepared;
  if (!prepared.ok) return { result: { error: prepared.error }, names };
  if (prepared.exits) return { result: { payload: [{ source: "ask_exit", keepkernel: false }] } };
  const command: ExecuteCommand = {
    t: "execute",
    cell: header.msg_id,
    name: o.name,
    source: code,
    code: prepared.code,
    map: prepared.map,
    vars: prepared.vars,
    executionCount: o.executionCount,
    silent: Boolean(content.silent),
    allowStdin: content.allow_stdin === true,
    expressions: prepared.expressions,
    ...(prepared.aliases && { aliases: prepared.aliases }),
    ...(prepared.live && { live: prepared.live }),
  };
  return { command, warning: prepared.warning, names };
}

/** The pager's content for `name?` and `?name`, IPython's way to ask for help; neither is TypeScript. */
async function explain(name: string, types: Types): Promise<JsonObject[]> {
  const info = await types.ask("inspect", { code: name, offset: name.length }).catch(() => undefined);
  const data = info ? inspection(info) : { "text/plain": `Nothing is known about ${name}` };
  return [{ source: "page", data, start: 0 }];
}
