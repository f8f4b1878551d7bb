import type { Help } from "turnwise-kernel/internal/help/help";
import type { Packed } from "turnwise-kernel/internal/types/packed";

/** Questions of help to the worker that runs cells. */
export interface HelpAsker {
  /** The module `turnwise-kernel` as cells see it. */
  kernel(): Readonly<Record<string, unknown>>;
  /** Exports of a tier of the library; undefined as long as no cell has imported it. */
  load(tier: string): Record<string, unknown> | undefined;
  /** A value as text. */
  inspect(value: unknown): string;
  /** The texts of the cells in the order in which they ran. */
  cells(): Iterable<readonly [file: string, text: string]>;
}

/** Function that help.js offers when it is loaded. */
export type MakeHelp = (packed: Packed, asker: HelpAsker) => Help;

/** Key under which help.js leaves it. */
export const makeHelpSymbol = Symbol.for("turnwise.makeHelp");

interface WorkerScope {
  [makeHelpSymbol]?: MakeHelp;
  importScripts(url: string): void;
  XMLHttpRequest: new () => {
    open(method: string, url: string, async: boolean): void;
    send(): void;
    readonly status: number;
    readonly responseText: string;
  };
}

/**
 * Help from the packed declarations. `help(...)` answers at once, so that the parser and the declarations are loaded in one go,
 * at the first question; `folder` is the address where both lie.
 */
export function helpInPage(folder: string, asker: HelpAsker): Help {
  const scope = globalThis as unknown as WorkerScope;
  if (!scope[makeHelpSymbol]) scope.importScripts(new URL("help.js", folder).href);
  const request = new scope.XMLHttpRequest();
  const address = new URL("declarations.json", folder).href;
  request.open("GET", address, false);
  request.send();
  if (request.status !== 200)
    throw new Error(`Cannot answer: no declarations at ${address}, status ${request.status}.`);
  return scope[makeHelpSymbol]!(JSON.parse(request.responseText) as Packed, asker);
}
