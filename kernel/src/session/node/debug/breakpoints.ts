import type { JsonObject } from "../../../protocol/message.js";
import type { CellScript } from "../../state.js";
import { toScript, type CellScripts } from "./cells.js";
import type { Post } from "./inspector.js";

/** A breakpoint as front ends ask for it; lines count from 1. */
interface Wanted {
  line: number;
  condition?: string;
}

/** Breakpoints by cell: V8 gets them for each script that has run with the cell's text, and for the next one. */
export class Breakpoints {
  private readonly wanted = new Map<string, Wanted[]>();
  /** V8's ids, by the path of the cell. */
  private readonly set = new Map<string, string[]>();

  constructor(
    private readonly post: Post,
    private readonly cells: CellScripts,
  ) {}

  /** All there are, as `debugInfo` lists them. */
  list(): JsonObject[] {
    return [...this.wanted]
      .filter(([, breakpoints]) => breakpoints.length > 0)
      .map(([source, breakpoints]) => ({ source, breakpoints }));
  }

  /** Answers `setBreakpoints`, which names all breakpoints of one cell. */
  async replace(args: JsonObject): Promise<JsonObject> {
    const path = String((args.source as JsonObject | undefined)?.path);
    const asked = (Array.isArray(args.breakpoints) ? args.breakpoints : []) as Wanted[];
    for (const id of this.set.get(path) ?? []) {
      await this.post("Debugger.removeBreakpoint", { breakpointId: id });
    }
    this.set.delete(path);
    this.wanted.set(
      path,
      asked.map(({ line, condition }) => ({ line, ...(condition !== undefined && { condition }) })),
    );
    for (const script of this.cells.scriptsOf(path)) await this.setAll(script, path);
    return {
      breakpoints: asked.map(({ line }, i) => ({ id: i + 1, verified: true, line, source: { path } })),
    };
  }

  /** Sets the breakpoints of a cell in a script made of it. */
  async setAll(script: CellScript, path: string): Promise<void> {
    for (const { line, condition } of this.wanted.get(path) ?? []) {
      const at = toScript(script.map, line - 1);
      if (!at) continue;
      const { breakpointId } = (await this.post("Debugger.setBreakpointByUrl", {
        url: script.name,
        lineNumber: at.line,
        columnNumber: at.column,
        ...(condition !== undefined && { condition }),
      })) as { breakpointId: string };
      this.set.set(path, [...(this.set.get(path) ?? []), breakpointId]);
    }
  }

  /** Forgets all; V8 has forgotten them with the debugger. */
  clear(): void {
    this.wanted.clear();
    this.set.clear();
  }
}
