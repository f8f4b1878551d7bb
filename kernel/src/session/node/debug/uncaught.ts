import { passage, readScript, type Script } from "./catching.js";
import type { Paused, Post, ScriptLocation } from "./inspector.js";

const keptScripts = 50;

/**
 * Tells errors that end a cell from those that its code, or a library, catches.
 *
 * V8 takes all that a cell throws for caught, since its REPL mode makes a promise of a cell, and the kernel waits for that. So V8
 * is asked to stop at every error, and the scripts on the stack tell by their text whether one of them catches it.
 */
export class UncaughtErrors {
  private readonly scripts = new Map<string, Script | undefined>();
  private readonly verdicts = new Map<string, boolean>();

  constructor(
    private readonly post: Post,
    private readonly o: {
      /** False for scripts of the kernel and of Node: what they catch ends a cell all the same. */
      counts(scriptId: string): boolean;
      isCell(scriptId: string): boolean;
    },
  ) {}

  /** Whether nothing catches the error at which the program has halted. */
  async has(paused: Paused): Promise<boolean> {
    // The kernel passes a rejection on to what waits for it: a debugger has seen it where it arose.
    if (!paused.callFrames.some(({ location }) => this.o.counts(location.scriptId))) return false;
    const places = placesOf(paused).filter(({ scriptId }) => this.o.counts(scriptId));
    const key = places.map((at) => `${at.scriptId}:${at.lineNumber}:${at.columnNumber}`).join(" ");
    let verdict = this.verdicts.get(key);
    if (verdict === undefined) {
      verdict = await this.judge(places);
      this.verdicts.set(key, verdict);
    }
    return verdict;
  }

  private async judge(places: readonly ScriptLocation[]): Promise<boolean> {
    for (const { scriptId, lineNumber, columnNumber = 0 } of places) {
      const script = await this.script(scriptId);
      const goes = script && passage(script, lineNumber, columnNumber);
      if (goes === "caught") return false;
      if (goes === "top" && this.o.isCell(scriptId)) return true;
    }
    return true;
  }

  private async script(id: string): Promise<Script | undefined> {
    if (this.scripts.has(id)) return this.scripts.get(id);
    const answer = await this.post("Debugger.getScriptSource", { scriptId: id }).catch(() => undefined);
    const script = typeof answer?.scriptSource === "string" ? readScript(answer.scriptSource) : undefined;
    if (this.scripts.size >= keptScripts) this.scripts.delete(this.scripts.keys().next().value!);
    this.scripts.set(id, script);
    return script;
  }
}

/** The stack from the error outwards: first what was called, then what waits for that. */
function placesOf({ callFrames, asyncStackTrace, reason }: Paused): ScriptLocation[] {
  const places = callFrames.map(({ location }) => location);
  for (let waiting = asyncStackTrace; waiting; waiting = waiting.parent) {
    // An error thrown by a callback of a timer does not come to where the timer was set; a rejection may.
    if (waiting.description !== "await" && reason !== "promiseRejection") break;
    places.push(...waiting.callFrames);
  }
  return places;
}
