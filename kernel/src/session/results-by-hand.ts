import * as api from "../display/api.js";
import { toBundle, toText } from "../display/bundle.js";
import { isPromise } from "../display/promises.js";
import type { MimeBundle } from "../protocol/message.js";
import type { Output } from "./output.js";

/** Input that `$$.input` asks for. */
export interface InputOptions {
  prompt?: string;
  password?: boolean;
}

/** A display that `$$.display` makes: what it shows replaces what it has shown, if it has a name. */
export interface NamedDisplay {
  mime(bundle: MimeBundle): void;
  text(text: string): void;
  html(html: string): void;
  svg(svg: string): void;
  png(base64: string): void;
  jpeg(base64: string): void;
  json(json: unknown): void;
  close(): void;
}

type Show<T> = (value: T | Promise<T>, keepAlive?: boolean) => void;

/** `$$` of ijavascript: a cell that uses it gives its results itself, also after its last line. */
export interface ResultsByHandApi {
  /** The cell ends when its result is there, not at its last line; with `false`, it does so after all. */
  async(wait?: boolean): boolean;
  /** Ends a cell that waits, with a result if one is given. */
  done(...result: unknown[]): void;
  sendResult: Show<unknown>;
  sendError: Show<unknown>;
  mime: Show<MimeBundle>;
  text: Show<string>;
  html: Show<string>;
  svg: Show<string>;
  /** A PNG image in base64. */
  png: Show<string>;
  /** A JPEG image in base64. */
  jpeg: Show<string>;
  json: Show<unknown>;
  input(o?: InputOptions, callback?: (error: unknown, reply: string) => void): Promise<string>;
  display(id?: string): NamedDisplay;
  clear(o?: { wait?: boolean }): void;
}

/** A cell that gives its results itself. */
interface Cell {
  readonly id: string;
  shown: number;
  waits: boolean;
  isOver: boolean;
  error?: { readonly thrown: unknown };
  /** Ends the wait. */
  end: () => void;
  readonly ended: Promise<void>;
}

const types = {
  text: "text/plain",
  html: "text/html",
  svg: "image/svg+xml",
  png: "image/png",
  jpeg: "image/jpeg",
  json: "application/json",
} as const;

/** Results that cells give themselves, by `$$` of ijavascript. */
export class ResultsByHand {
  private cell: Cell | undefined;

  constructor(
    private readonly output: Output,
    private readonly currentCell: () => string,
    /** Number of a cell, by its id. */
    private readonly countOf: (cell: string) => number | undefined,
  ) {}

  /**
   * A cell's script has ended: waits for its result if it asked for that. Whether it has given its result, so that the value of its
   * last line is not shown.
   */
  async settled(id: string, wait: (promise: Promise<void>) => Promise<void>): Promise<boolean> {
    const { cell } = this;
    if (cell?.id !== id) return false;
    if (cell.waits && !cell.isOver) await wait(cell.ended);
    cell.isOver = true;
    if (cell.error) throw cell.error.thrown;
    return cell.shown > 0 || cell.waits;
  }

  /** An error that nobody awaits ends the cell that it is from, if that waits for its result; whether it does. */
  fails(thrown: unknown): boolean {
    const { cell } = this;
    if (cell?.id !== this.currentCell() || !cell.waits || cell.isOver) return false;
    cell.error ??= { thrown };
    this.over(cell);
    return true;
  }

  readonly api: ResultsByHandApi = {
    async: (wait = true) => (this.running().waits = wait),
    done: (...result) => {
      if (result.length > 0) this.api.sendResult(result[0]);
      else this.over(this.running());
    },
    sendResult: this.showing((value, cell) => this.publish(cell, resultBundle(value))),
    sendError: this.showing((thrown, cell) => void (cell.error ??= { thrown })),
    mime: this.showing((bundle, cell) => this.publish(cell, bundle)),
    text: this.showingAs("text"),
    html: this.showingAs("html"),
    svg: this.showingAs("svg"),
    png: this.showingAs("png"),
    jpeg: this.showingAs("jpeg"),
    json: this.showing((value, cell) => this.publish(cell, { [types.json]: value })),
    input: (o = {}, callback) => {
      const reply = api.input(o.prompt ?? "", { password: o.password ?? false });
      if (!callback) return reply;
      this.running().waits = true;
      void reply.then(
        (text) => callback(null, text),
        (error: unknown) => callback(error, ""),
      );
      return reply;
    },
    display: (id) => namedDisplay(id),
    clear: ({ wait = false } = {}) => api.clearOutput({ wait }),
  };

  /** The names of its first releases, which are set: `$$html$$ = "<b>1</b>"`. */
  readonly former: Readonly<Record<string, PropertyDescriptor>> = {
    ...Object.fromEntries(
      (["mime", "html", "svg", "png", "jpeg"] as const).map((name) => [
        `$$${name}$$`,
        { get: () => undefined, set: (value: never) => this.api[name](value) },
      ]),
    ),
    $$async$$: {
      get: () => this.running().waits,
      set: (wait: unknown) => void this.api.async(Boolean(wait)),
    },
    $$done$$: { value: (...result: unknown[]) => this.api.done(...result), writable: true },
  };

  private running(): Cell {
    const id = this.currentCell();
    if (this.cell?.id === id) return this.cell;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    return (this.cell = { id, shown: 0, waits: false, isOver: false, end, ended });
  }

  private over(cell: Cell): void {
    cell.isOver = true;
    cell.end();
  }

  private showing<T>(show: (value: T, cell: Cell) => void): Show<T> {
    return (value, keepAlive = false) => {
      const cell = this.running();
      if (keepAlive) cell.waits = true;
      if (!isPromise(value)) {
        show(value, cell);
        if (!keepAlive) this.over(cell);
        return;
      }
      cell.waits = true;
      void value.then(
        (result) => {
          show(result as T, cell);
          if (!keepAlive) this.over(cell);
        },
        (thrown: unknown) => {
          cell.error ??= { thrown };
          this.over(cell);
        },
      );
    };
  }

  private showingAs(name: "text" | "html" | "svg" | "png" | "jpeg"): Show<string> {
    return this.showing((value, cell) => this.publish(cell, { [types[name]]: String(value) }));
  }

  /** The first result is the cell's; more of them, and those that come after its end, are displays. */
  private publish(cell: Cell, bundle: MimeBundle): void {
    const data = {
      ...bundle,
      "text/plain": bundle["text/plain"] ?? `<${Object.keys(bundle)[0] ?? "nothing"}>`,
    };
    const isResult = cell.shown++ === 0 && !cell.isOver;
    const content = { data, metadata: {} };
    if (isResult)
      this.output.publish(
        "execute_result",
        { ...content, execution_count: this.countOf(cell.id) ?? 0 },
        { cell: cell.id },
      );
    else this.output.publish("display_data", content, { cell: cell.id });
  }
}

function resultBundle(value: unknown): MimeBundle {
  const bundle = toBundle(value);
  return isPromise(bundle) ? { "text/plain": toText(value) } : bundle;
}

const shownIds = new Set<string>();

function namedDisplay(id: string | undefined): NamedDisplay {
  const mime = (bundle: MimeBundle): void => {
    const update = id !== undefined && shownIds.has(id);
    if (id !== undefined) shownIds.add(id);
    api.display(bundle, { raw: true, update, ...(id !== undefined && { id }) });
  };
  const as = (name: keyof typeof types) => (value: unknown) => mime({ [types[name]]: value });
  return {
    mime,
    text: as("text"),
    html: as("html"),
    svg: as("svg"),
    png: as("png"),
    jpeg: as("jpeg"),
    json: as("json"),
    close: () => void (id !== undefined && shownIds.delete(id)),
  };
}
