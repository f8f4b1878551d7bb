import { randomUUID } from "node:crypto";
import type { DisplayOptions } from "../display/api.js";
import { isDisplayable, promiseText, shownFor, toBundle, toText } from "../display/bundle.js";
import { isPromise } from "../display/promises.js";
import { isLive, LiveDisplays } from "../display/live.js";
import type { JsonObject, MimeBundle } from "../protocol/message.js";
import { limits } from "../display/settings.js";
import type { ExecuteCommand } from "./messages.js";
import type { Output } from "./output.js";

/** Shows values: the result of a cell, the arguments of `display`, and live values as they change. */
export class Displays {
  private readonly live: LiveDisplays;
  /** The ids that the running cell got from `display(...)`. */
  private shown: { readonly cell: string; readonly ids: Set<string> } | undefined;

  constructor(
    private readonly output: Output,
    private readonly currentCell: () => string,
    private readonly o: {
      /** Waits for a promise as a cell does: an interrupt ends it. */
      wait<T>(promise: Promise<T>): Promise<T>;
      onError(error: unknown): void;
    },
  ) {
    this.live = new LiveDisplays((id, data, cell) => this.publish("update_display_data", data, id, cell));
  }

  /** Shows the value of a cell's last expression; false if there is nothing to show. */
  async result(command: ExecuteCommand, given: unknown): Promise<boolean> {
    // As in Node's REPL, undefined shows nothing, while null is a value.
    if (given === undefined || command.silent) return false;
    if (limits.get("semicolon") === 1 && endsInSemicolon(command.source)) return false;
    // Below what `display(x)` has just shown, its id would be noise.
    const { shown } = this;
    if (shown?.cell === command.cell && idsOf(given).every((id) => shown.ids.has(id as string))) return false;
    const value = shownFor(given);
    const waits = isPromise(value) && !isDisplayable(value);
    const bundle = waits ? { "text/plain": promiseText(value) } : toBundle(value);
    const data = isPromise(bundle) ? await this.o.wait(bundle) : bundle;
    const content: JsonObject = { data, metadata: {}, execution_count: command.executionCount };
    if (isLive(value)) {
      const id = randomUUID();
      content.transient = { display_id: id };
      this.live.watch(id, value, command.cell);
    }
    this.output.publish("execute_result", content, { cell: command.cell });
    return true;
  }

  /** Shows a value below the running cell; returns the id of the display. */
  show(given: unknown, o: DisplayOptions): string {
    const id = o.id ?? randomUUID();
    const cell = this.currentCell();
    if (this.shown?.cell !== cell) this.shown = { cell, ids: new Set() };
    this.shown.ids.add(id);
    const value = o.raw ? given : shownFor(given);
    const publish = (data: MimeBundle): void => {
      this.publish(o.update ? "update_display_data" : "display_data", data, id, cell);
      if (!o.raw) this.live.watch(id, value, cell);
    };
    const bundle = o.raw ? { "text/plain": toText(value), ...(value as MimeBundle) } : toBundle(value);
    if (isPromise(bundle)) void bundle.then(publish).catch((error: unknown) => this.o.onError(error));
    else publish(bundle);
    return id;
  }

  /** Removes what the running cell has shown. */
  clear(wait: boolean): void {
    this.live.clear(this.currentCell());
    this.output.publish("clear_output", { wait });
  }

  /** Sends what live values look like now, before the cell ends. */
  flush(): void {
    this.live.flush();
  }

  /** Stops watching live values: the process ends. */
  close(): void {
    this.live.clear();
  }

  private publish(type: string, data: MimeBundle, id: string, cell: string): void {
    this.output.publish(type, { data, metadata: {}, transient: { display_id: id } }, { cell });
  }
}

/** The ids of displays that a value may be. A proxy that is revoked cannot even be asked whether it is a list. */
function idsOf(value: unknown): readonly unknown[] {
  try {
    return Array.isArray(value) && value.length > 0 ? value : [value];
  } catch {
    return [value];
  }
}

/** Whether a cell's last sign is a semicolon, but for comments. */
function endsInSemicolon(source: string): boolean {
  // A line comment ends at its line's end alone: were it free to end anywhere, a row of slashes would be tried in every way.
  return /;\s*(?:\/\/[^\n]*(?:\n\s*|$)|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)*$/.test(source);
}
