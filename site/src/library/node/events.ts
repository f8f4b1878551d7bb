import { abortError, coded, received, type Signal } from "../errors.js";

/** Replacement of Node's `events` in cells of a page. */

type Name = string | symbol;
type Listener = (...given: unknown[]) => unknown;
/** Listener that `once` adds: it holds the original, to be removed by it. */
type Added = Listener & { readonly listener?: Listener };

export const errorMonitor = Symbol.for("events.errorMonitor");
export const captureRejectionSymbol = Symbol.for("nodejs.rejection");

// Beside the objects, as one that is made without its constructor, in the old way of classes, has none of its own.
const added = new WeakMap<object, Map<Name, Added[]>>();
const most = new WeakMap<object, number>();
const warned = new WeakMap<object, Set<Name>>();

const listOf = (emitter: object, name: Name): Added[] => added.get(emitter)?.get(name) ?? [];

function setList(emitter: object, name: Name, list: Added[]): void {
  const lists = added.get(emitter) ?? new Map<Name, Added[]>();
  added.set(emitter, lists);
  if (list.length === 0) lists.delete(name);
  else lists.set(name, list);
}

class Emitter {
  static readonly errorMonitor: typeof errorMonitor = errorMonitor;
  static readonly captureRejectionSymbol: typeof captureRejectionSymbol = captureRejectionSymbol;
  static defaultMaxListeners = 10;

  constructor(o?: { readonly captureRejections?: boolean }) {
    if (o?.captureRejections)
      throw new RangeError(
        "Cannot make an emitter: captureRejections must be false in a page, got true. Catch in the listener.",
      );
  }

  static listenerCount(emitter: Emitter, name: Name): number {
    return emitter.listenerCount(name);
  }

  on(name: Name, run: Listener): this {
    return add(this, name, run);
  }

  addListener(name: Name, run: Listener): this {
    return add(this, name, run);
  }

  prependListener(name: Name, run: Listener): this {
    return add(this, name, run, { first: true });
  }

  once(name: Name, run: Listener): this {
    return add(this, name, onceOnly(this, name, run));
  }

  prependOnceListener(name: Name, run: Listener): this {
    return add(this, name, onceOnly(this, name, run), { first: true });
  }

  off(name: Name, run: Listener): this {
    const list = listOf(this, name);
    const at = list.findLastIndex((one) => one === run || one.listener === run);
    if (at < 0) return this;
    setList(this, name, list.toSpliced(at, 1));
    if (listOf(this, "removeListener").length > 0) this.emit("removeListener", name, run);
    return this;
  }

  removeListener(name: Name, run: Listener): this {
    return this.off(name, run);
  }

  removeAllListeners(name?: Name): this {
    const names = name === undefined ? this.eventNames() : [name];
    for (const one of names) {
      // Last come, first gone; those who hear of it go last.
      if (one === "removeListener" && name === undefined) continue;
      for (const run of listOf(this, one).toReversed()) this.off(one, run);
    }
    if (name === undefined) added.delete(this);
    return this;
  }

  emit(name: Name, ...given: unknown[]): boolean {
    if (name === "error") {
      for (const run of listOf(this, errorMonitor)) run.apply(this, given);
      if (listOf(this, name).length === 0) throw unhandled(given[0]);
    }
    const list = listOf(this, name);
    for (const run of list) run.apply(this, given);
    return list.length > 0;
  }

  listeners(name: Name): Listener[] {
    return listOf(this, name).map((one) => one.listener ?? one);
  }

  rawListeners(name: Name): Listener[] {
    return [...listOf(this, name)];
  }

  listenerCount(name: Name, run?: Listener): number {
    const list = listOf(this, name);
    return run ? list.filter((one) => one === run || one.listener === run).length : list.length;
  }

  eventNames(): Name[] {
    return [...(added.get(this)?.keys() ?? [])];
  }

  setMaxListeners(n: number): this {
    most.set(this, n);
    return this;
  }

  getMaxListeners(): number {
    return most.get(this) ?? Emitter.defaultMaxListeners;
  }
}

function add<E extends Emitter>(emitter: E, name: Name, run: Added, o: { readonly first?: boolean } = {}): E {
  if (typeof run !== "function")
    throw coded(
      new TypeError(`The "listener" argument must be of type function. ${received(run)}`),
      "ERR_INVALID_ARG_TYPE",
    );
  if (listOf(emitter, "newListener").length > 0) emitter.emit("newListener", name, run.listener ?? run);
  const list = listOf(emitter, name);
  const all = o.first ? [run, ...list] : [...list, run];
  setList(emitter, name, all);
  const limit = emitter.getMaxListeners();
  if (limit > 0 && all.length > limit) warn(emitter, name, all.length, limit);
  return emitter;
}

function warn(emitter: Emitter, name: Name, count: number, limit: number): void {
  const names = warned.get(emitter) ?? new Set();
  warned.set(emitter, names);
  if (names.has(name)) return;
  names.add(name);
  console.warn(
    `MaxListenersExceededWarning: Possible EventEmitter memory leak detected. ${count} ${String(name)} listeners added. ` +
      `MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`,
  );
}

function onceOnly(emitter: Emitter, name: Name, listener: Listener): Added {
  if (typeof listener !== "function") return listener;
  let over = false;
  const run = function (this: unknown, ...given: unknown[]): unknown {
    if (over) return undefined;
    over = true;
    emitter.off(name, run);
    return listener.apply(this, given);
  };
  return Object.assign(run, { listener });
}

function unhandled(error: unknown): unknown {
  if (error instanceof Error) return error;
  const text = typeof error === "string" ? `'${error}'` : String(error);
  return coded(
    Object.assign(new Error(`Unhandled error. (${text})`), { context: error }),
    "ERR_UNHANDLED_ERROR",
  );
}

/** An object of the browser that reports events. */
interface Target {
  addEventListener(name: string, run: Listener): void;
  removeEventListener(name: string, run: Listener): void;
}

interface Waiting {
  readonly signal?: Signal;
}

/** Hears until the function that is returned is called. */
function heard(emitter: Emitter | Target, name: Name, run: Listener): () => void {
  if ("addEventListener" in emitter) {
    emitter.addEventListener(String(name), run);
    return () => emitter.removeEventListener(String(name), run);
  }
  emitter.on(name, run);
  return () => void emitter.removeListener(name, run);
}

/** Resolves with what an emitter tells next under a name; rejects if it reports an error first. */
export function once(emitter: Emitter | Target, name: Name, { signal }: Waiting = {}): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal));
    const ends: (() => void)[] = [];
    const end = (then: () => void): void => {
      for (const one of ends.splice(0)) one();
      then();
    };
    ends.push(heard(emitter, name, (...given) => end(() => resolve(given))));
    if (name !== "error" && !("addEventListener" in emitter))
      ends.push(heard(emitter, "error", (error) => end(() => reject(error as Error))));
    if (signal) ends.push(heard(signal, "abort", () => end(() => reject(abortError(signal)))));
  });
}

/** All that an emitter tells under a name from now on, one after the other; `close` names events behind which nothing comes. */
export function on(
  emitter: Emitter | Target,
  name: Name,
  { signal, close = [] }: Waiting & { readonly close?: readonly Name[] } = {},
): AsyncIterableIterator<unknown[]> {
  if (signal?.aborted) throw abortError(signal);
  const told: unknown[][] = [];
  const wanted: { resolve(next: IteratorResult<unknown[]>): void; reject(error: unknown): void }[] = [];
  let failure: { readonly error: unknown } | undefined;
  let over = false;
  const end = (): void => {
    over = true;
    for (const one of ends.splice(0)) one();
    for (const one of wanted.splice(0)) one.resolve({ done: true, value: undefined });
  };
  const fail = (error: unknown): void => {
    const first = wanted.shift();
    if (first) first.reject(error);
    else failure = { error };
    end();
  };
  const ends = [
    heard(emitter, name, (...given) => {
      const first = wanted.shift();
      if (first) first.resolve({ done: false, value: given });
      else told.push(given);
    }),
    ...close.map((one) => heard(emitter, one, end)),
  ];
  if (name !== "error" && !("addEventListener" in emitter)) ends.push(heard(emitter, "error", fail));
  if (signal) ends.push(heard(signal, "abort", () => fail(abortError(signal))));
  const done = (): Promise<IteratorResult<unknown[]>> => Promise.resolve({ done: true, value: undefined });
  return {
    next() {
      const value = told.shift();
      if (value) return Promise.resolve({ done: false, value });
      if (failure) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error as Error);
      }
      return over ? done() : new Promise((resolve, reject) => wanted.push({ resolve, reject }));
    },
    return() {
      end();
      return done();
    },
    throw(error: unknown) {
      fail(error);
      return done();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export const getEventListeners = (emitter: Emitter, name: Name): Listener[] => emitter.listeners(name);
export const getMaxListeners = (emitter: Emitter): number => emitter.getMaxListeners();
export const { listenerCount } = Emitter;

export function setMaxListeners(n: number, ...emitters: Emitter[]): void {
  if (emitters.length === 0) Emitter.defaultMaxListeners = n;
  for (const emitter of emitters) emitter.setMaxListeners(n);
}

Object.defineProperty(Emitter, "name", { value: "EventEmitter" });

/** As on Node, an old class may call it without `new`. */
export const EventEmitter = new Proxy(
  Object.assign(Emitter, { once, on, getEventListeners, getMaxListeners, setMaxListeners }),
  { apply: () => undefined },
);
export type EventEmitter = Emitter;

Object.assign(Emitter, { EventEmitter });

export default EventEmitter;
