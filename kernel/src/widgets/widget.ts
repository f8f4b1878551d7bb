import { inspect } from "node:util";
import { displaySymbol } from "../display/bundle.js";
import type { JsonObject, MimeBundle } from "../protocol/message.js";
import type { Comm, CommBuffer, CommMessage } from "../protocol/comm.js";
import { widgetHost } from "./host.js";
import { deserialize, serialize, type BufferPath } from "./serialize.js";

/** The version of the protocol that a comm declares when it opens. */
export const protocol = { version: "2.1.0" };
const widgetTarget = "jupyter.widget";
const customMessage = "msg:custom";

/** Takes the content of a custom message, and its binary parts. */
export type EventHandler = (content: JsonObject, buffers: Buffer[]) => void;

/** The definition of a widget class: `[module, version, name]` of model and view, and its traits. */
export interface WidgetSpec {
  model: readonly string[];
  view: readonly string[] | null;
  defaults: JsonObject;
  /** Traits that hold a widget of their own, such as `layout` and `style`. */
  references: Readonly<Record<string, string>>;
  bytes: readonly string[];
}

/** A widget of unknown class. */
export type AnyWidgetModel = Widget<never>;

/** A widget with its traits as properties. */
export type WidgetOf<S extends object> = Widget<S> & S;

const classes = new Map<string, new (state?: never) => AnyWidgetModel>();
/** All models that are open, by their ids. */
export const widgets = new Map<string, AnyWidgetModel>();

/**
 * One model that lives here and in the front end.
 *
 * Setting a trait sends it to every view; what a person changes in a view arrives here and calls observers, also
 * while an awaited loop runs. Events reach a synchronous loop through `pollEvents()`.
 */
export class Widget<S extends object> {
  /** The id of the model, which is also the id of its comm. */
  readonly modelId: string;
  private readonly comm: Comm;
  private readonly values: JsonObject;
  private readonly observers = new Map<string, Set<(value: never, old: never) => void>>();
  private readonly events = new Map<string, Set<EventHandler>>();

  constructor(
    private readonly kind: string,
    private readonly spec: WidgetSpec,
    state: Partial<S>,
    /** The comm by which the front end has made the model; by default a new one. */
    opened?: Comm,
  ) {
    this.values = structuredClone(spec.defaults);
    for (const name of spec.bytes) this.values[name] = new Uint8Array(0);
    for (const [name, className] of Object.entries(spec.references)) {
      const part = classes.get(className);
      // A given part is a trait like any other; no new one is made then.
      this.values[name] = part && !Object.hasOwn(state, name) ? new part() : null;
    }
    for (const name of Object.keys(state)) this.assertTrait(name);
    Object.assign(this.values, state);
    const { state: wire, bufferPaths, buffers } = serialize({ ...this.identity(), ...this.values }, idOf);
    this.comm =
      opened ??
      widgetHost().create(
        widgetTarget,
        { state: wire, buffer_paths: bufferPaths },
        { metadata: protocol, buffers },
      );
    this.modelId = this.comm.id;
    widgets.set(this.modelId, this as unknown as AnyWidgetModel);
    this.comm.onMessage = (message) => this.receive(message);
    this.comm.onClose = () => widgets.delete(this.modelId);
    for (const name of Object.keys(this.values)) {
      // A subclass may give a trait a meaning of its own.
      if (name in this) continue;
      Object.defineProperty(this, name, {
        get: () => this.get(name as keyof S),
        set: (value: never) => this.set({ [name]: value } as unknown as Partial<S>),
        enumerable: true,
      });
    }
  }

  /** The value of a trait. */
  get<K extends keyof S>(name: K): S[K] {
    return this.values[name as string] as S[K];
  }

  /**
   * Changes traits, here and in every view.
   *
   * @throws {RangeError} if the widget does not have one of the traits
   */
  set(changes: Partial<S>): void {
    for (const name of Object.keys(changes)) this.assertTrait(name);
    this.push("update", this.apply(changes as JsonObject));
  }

  /** Calls a function at each change of a trait, from here or from the front end; returns a function that unsubscribes. */
  observe<K extends keyof S>(name: K, observer: (value: S[K], old: S[K]) => void): () => void {
    return subscribe(this.observers, name as string, observer as never);
  }

  /**
   * Calls a function when a view reports an event, such as the `click` of a button, or, as `msg:custom`, at each custom message;
   * returns a function that unsubscribes.
   */
  on(event: string, handler: EventHandler): () => void {
    return subscribe(this.events, event, handler);
  }

  /** Sends a custom message to every view. */
  send(content: unknown, buffers: readonly CommBuffer[] = []): void {
    if (this.comm.isOpen) this.comm.send({ method: "custom", content }, { buffers });
  }

  /** Removes the widget from the front end. */
  close(): void {
    widgets.delete(this.modelId);
    this.comm.close();
  }

  [displaySymbol](): MimeBundle {
    return {
      "application/vnd.jupyter.widget-view+json": {
        version_major: 2,
        version_minor: 0,
        model_id: this.modelId,
      },
      "text/plain": inspect(this),
    };
  }

  [inspect.custom](): string {
    const { value, description } = this.values;
    const shown = { ...(value === undefined ? {} : { value }), ...(description ? { description } : {}) };
    return `${this.kind}(${inspect(shown)})`;
  }

  /** The whole state, for a front end that was reloaded. */
  wireState(): { model: JsonObject; state: ReturnType<typeof serialize> } {
    const [module, version, name] = this.spec.model;
    return {
      model: { model_name: name, model_module: module, model_module_version: version },
      state: serialize({ ...this.identity(), ...this.values }, idOf),
    };
  }

  private identity(): JsonObject {
    const [module, version, name] = this.spec.model;
    const view = this.spec.view ?? [null, null, null];
    return {
      _model_module: module,
      _model_module_version: version,
      _model_name: name,
      _view_module: view[0],
      _view_module_version: view[1],
      _view_name: view[2],
    };
  }

  private receive({ data, buffers }: CommMessage): void {
    const paths = (Array.isArray(data.buffer_paths) ? data.buffer_paths : []) as BufferPath[];
    switch (data.method) {
      case "update": {
        const state = deserialize((data.state ?? {}) as JsonObject, paths, buffers, (id) => widgets.get(id));
        // This informs other views of the model; the one that sent it recognizes its own change.
        this.push("echo_update", this.known(state));
        this.apply(state);
        break;
      }
      case "request_state":
        this.push("update", { ...this.identity(), ...this.values });
        break;
      case "custom": {
        const content = (data.content ?? {}) as JsonObject;
        this.emit(customMessage, content, buffers);
        if (content.event !== customMessage) this.emit(String(content.event), content, buffers);
      }
    }
  }

  private emit(event: string, content: JsonObject, buffers: Buffer[]): void {
    for (const handler of this.events.get(event) ?? []) guarded(() => handler(content, buffers));
  }

  /** Applies changes and calls observers; returns what has really changed. */
  protected apply(changes: JsonObject): JsonObject {
    const changed: JsonObject = {};
    const before = { ...this.values };
    for (const [name, value] of Object.entries(this.known(changes))) {
      if (!Object.is(this.values[name], value)) this.values[name] = changed[name] = value;
    }
    // Only now: an observer of one trait may read another that has changed with it.
    for (const [name, value] of Object.entries(changed)) {
      for (const observer of this.observers.get(name) ?? [])
        guarded(() => observer(value as never, before[name] as never));
    }
    return changed;
  }

  private known(changes: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(changes).filter(([name]) => Object.hasOwn(this.values, name)));
  }

  /** Sends traits to every view. */
  protected push(method: "update" | "echo_update", changes: JsonObject): void {
    // A front end that has closed the model, as one that shows it no more, is told nothing.
    if (Object.keys(changes).length === 0 || !this.comm.isOpen) return;
    const { state, bufferPaths, buffers } = serialize(changes, idOf);
    this.comm.send({ method, state, buffer_paths: bufferPaths }, { buffers });
  }

  protected assertTrait(name: string, action = "set"): void {
    if (Object.hasOwn(this.values, name)) return;
    throw new RangeError(
      `Cannot ${action} a trait of ${this.kind}: it has no trait ${JSON.stringify(name)}.`,
    );
  }
}

/** A class for one kind of widget. */
export function widgetClass<S extends object>(
  kind: string,
  spec: WidgetSpec,
): new (state?: Partial<S>) => WidgetOf<S> {
  const made = {
    [kind]: class extends Widget<S> {
      constructor(state: Partial<S> = {}) {
        super(kind, spec, state);
      }
    },
  }[kind]! as unknown as new (state?: Partial<S>) => WidgetOf<S>;
  classes.set(kind, made as never);
  return made;
}

function idOf(value: object): string | undefined {
  return value instanceof Widget ? value.modelId : undefined;
}

function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    // One observer's error must not keep the change from the others, or from the views.
    widgetHost().report(error);
  }
}

function subscribe<T>(all: Map<string, Set<T>>, name: string, one: T): () => void {
  const set = all.get(name) ?? new Set<T>();
  all.set(name, set.add(one));
  return () => set.delete(one);
}
