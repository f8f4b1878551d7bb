import type { ErrorContent, JsonObject, Message } from "../protocol/message.js";
import type { CellNames } from "../types/messages.js";

/** The outcome of a cell. */
export interface CellResult {
  error?: ErrorContent;
  expressions?: JsonObject;
  /** What the front end shows beside the output: the answer to `name?`. */
  payload?: JsonObject[];
}

const offerAfterMs = 3_000;

/** The running cell, from its request to its result, and how far an attempt to interrupt it has come. */
export class RunningCell {
  /** Settles once, with the first result. */
  readonly result: Promise<CellResult>;
  end: (result: CellResult) => void = () => undefined;
  /** Its types are checked. If it is sent to the session, which comes next, its code may run from here on. */
  isChecked = false;
  /** Known once it is prepared. */
  names: CellNames = { declares: [], uses: [] };
  /** It has survived an interrupt, and the user was offered a fresh session. */
  offered = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly request: Message) {
    this.result = new Promise((resolve) => {
      this.end = (result) => {
        clearTimeout(this.timer);
        resolve(result);
      };
    });
  }

  get id(): string {
    return this.request.header.msg_id;
  }

  /** It was interrupted; `onSurvived` is called if it still runs a while later. */
  interrupt(onSurvived: () => void): void {
    this.timer ??= setTimeout(() => {
      this.offered = true;
      onSurvived();
    }, offerAfterMs);
  }

  /** The next interrupt ends what it waits for: only if it still runs after that does it need a fresh session. */
  postpone(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.offered = false;
  }
}

/** An error of the kernel itself, which has no stack to show. */
export function plainError(ename: string, evalue: string): ErrorContent {
  return { ename, evalue, traceback: [`${ename}: ${evalue}`] };
}
