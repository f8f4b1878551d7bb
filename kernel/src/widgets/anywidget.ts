import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CommBuffer } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";
import { widgetHost } from "./host.js";
import { Widget, type EventHandler, type WidgetOf, type WidgetSpec } from "./widget.js";

// Any release serves: the front end's own module talks to the kernel by the protocol alone.
const version = "*";

/** Answers a call of the front end by `experimental.invoke`: gives the response, or the response and its binary parts. */
export type WidgetCommand = (message: unknown, buffers: Buffer[]) => unknown;

/** Options of {@link anyWidget}. */
export interface AnyWidgetOptions<S> {
  /** The module of the front end: its text, its address, or the URL of a file, which is read now. */
  esm: string | URL;
  /** A style sheet, likewise. */
  css?: string | URL;
  /** Traits, shared with the front end. */
  state?: S;
  /** Name of this kind of widget, by which the front end tells its style sheets apart; by default one for each module. */
  id?: string;
  /** Functions that the front end may call by `experimental.invoke(name, message)`. */
  commands?: Readonly<Record<string, WidgetCommand>>;
}

/**
 * A widget by the convention of anywidget; `get`, `set`, `save_changes`, `on`, `off` and `send` are those that its module finds
 * in the front end.
 */
export class AnyWidget<S extends object> extends Widget<S> {
  private staged: JsonObject = {};
  private readonly undo = new Map<string, Map<unknown, () => void>>();

  constructor(spec: WidgetSpec, state: Partial<S>, commands: AnyWidgetOptions<S>["commands"] = {}) {
    super("AnyWidget", spec, state);
    super.on("msg:custom", (content, buffers) => void this.run(commands, content, buffers));
  }

  /**
   * With an object, changes traits here and in every view. With a name and a value, changes a trait here; `save_changes` sends it.
   *
   * @throws {RangeError} if the widget does not have one of the traits
   */
  override set(changes: Partial<S>): void;
  override set<K extends keyof S>(name: K, value: S[K]): void;
  override set(changes: Partial<S> | keyof S, value?: unknown): void {
    if (typeof changes === "object") return super.set(changes);
    this.assertTrait(String(changes));
    Object.assign(this.staged, this.apply({ [changes]: value }));
  }

  /** Sends the traits that were set one by one. */
  save_changes(): void {
    const { staged } = this;
    this.staged = {};
    this.push("update", staged);
  }

  /** Calls a function at each change of a trait (`change:name`), at each custom message (`msg:custom`), or at an event of a view. */
  override on(event: `change:${keyof S & string}`, handler: () => void): () => void;
  override on(event: string, handler: EventHandler): () => void;
  override on(event: string, handler: EventHandler | (() => void)): () => void {
    const trait = /^change:(.+)$/s.exec(event)?.[1];
    if (trait !== undefined) this.assertTrait(trait, "listen to");
    const undo =
      trait === undefined
        ? super.on(event, handler)
        : this.observe(trait as keyof S, () => (handler as () => void)());
    const ofEvent = this.undo.get(event) ?? new Map<unknown, () => void>();
    this.undo.set(event, ofEvent.set(handler, undo));
    return undo;
  }

  /** Takes away one handler of an event, all of an event, or all. */
  off(event?: string | null, handler?: unknown): void {
    for (const [name, handlers] of this.undo) {
      if (event !== undefined && event !== null && name !== event) continue;
      for (const [one, undo] of handlers) {
        if (handler !== undefined && handler !== null && one !== handler) continue;
        undo();
        handlers.delete(one);
      }
    }
  }

  /** Sends a custom message to every view: with its binary parts second, or third as in the front end. */
  override send(content: unknown, buffers?: readonly CommBuffer[]): void;
  override send(content: unknown, callbacks: unknown, buffers?: readonly CommBuffer[]): void;
  override send(content: unknown, second?: unknown, third?: readonly CommBuffer[]): void {
    super.send(content, third ?? (Array.isArray(second) ? (second as CommBuffer[]) : []));
  }

  private async run(
    commands: Readonly<Record<string, WidgetCommand>>,
    { kind, id, name, msg }: JsonObject,
    buffers: Buffer[],
  ): Promise<void> {
    if (kind !== "anywidget-command") return;
    try {
      const command = Object.hasOwn(commands, String(name)) ? commands[String(name)] : undefined;
      if (!command) {
        const known = Object.keys(commands).join(", ") || "none";
        throw new RangeError(
          `Cannot run a command of the widget: it must be one of its commands (${known}), got ${JSON.stringify(name)}.`,
        );
      }
      const answer = await command(msg, buffers);
      const [response, parts] = isAnswer(answer) ? answer : [answer, []];
      super.send({ id, kind: "anywidget-command-response", response: response ?? null }, parts);
    } catch (error) {
      widgetHost().report(error);
    }
  }
}

const isAnswer = (value: unknown): value is [response: unknown, buffers: CommBuffer[]] =>
  Array.isArray(value) &&
  value.length === 2 &&
  Array.isArray(value[1]) &&
  value[1].every((one) => ArrayBuffer.isView(one) || one instanceof ArrayBuffer);

/** Names of modules that were given none: all widgets of one module have the same. */
const ids = new Map<string, string>();

/**
 * A widget whose front end is an ES module, by the convention of anywidget: the module's default export has
 * `render({ model, el })`. JupyterLab shows it by the extension that this kernel installs, or by that of
 * anywidget.
 *
 * @example
 * const counter = widgets.anyWidget({
 *   esm: `export default { render({ model, el }) {
 *     const button = document.createElement("button");
 *     const show = () => { button.textContent = "clicked " + model.get("n") };
 *     button.onclick = () => { model.set("n", model.get("n") + 1); model.save_changes() };
 *     model.on("change:n", show); show(); el.append(button);
 *   } }`,
 *   state: { n: 0 },
 * });
 * counter.on("change:n", () => console.log(counter.n));
 * counter
 *
 * @throws {TypeError} if the module is neither text nor a URL
 */
export function anyWidget<S extends object>(o: AnyWidgetOptions<S>): AnyWidget<S> & WidgetOf<S> {
  const esm = textOf(o.esm, "esm");
  const css = o.css === undefined ? "" : textOf(o.css, "css");
  const key = `${esm}\n${css}`;
  const id = o.id ?? ids.get(key) ?? `turnwise.${randomUUID()}`;
  ids.set(key, id);
  const state = { _esm: esm, _css: css, _anywidget_id: id, ...o.state };
  const spec: WidgetSpec = {
    model: ["anywidget", version, "AnyModel"],
    view: ["anywidget", version, "AnyView"],
    // The state itself may hold other widgets, of which there are no copies.
    defaults: Object.fromEntries(Object.keys(state).map((name) => [name, null])),
    references: { layout: "Layout" },
    bytes: [],
  };
  return new AnyWidget<S>(spec, state as unknown as Partial<S>, o.commands) as AnyWidget<S> & WidgetOf<S>;
}

function textOf(source: unknown, name: string): string {
  if (typeof source === "string") return source;
  if (source instanceof URL) return source.protocol === "file:" ? readFileSync(source, "utf8") : source.href;
  throw new TypeError(
    `Cannot make the widget: ${name} must be the text of a module or a URL, got ${source === null ? "null" : typeof source}.`,
  );
}
