// One file because what is recorded, compared and put back is one record. All of it must work while cells have replaced any built-in
// function: it calls functions that it holds, walks lists by index, and uses no method.
/* eslint-disable @typescript-eslint/prefer-for-of -- for-of asks a list for its iterator, which a cell may have replaced. */

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, defineProperty, deleteProperty } =
  Reflect;

/** A property that a cell has replaced, added to a prototype, or deleted. */
interface Change {
  readonly owner: Owner;
  readonly key: PropertyKey;
  /** As it was; undefined for one that is new. */
  readonly before: PropertyDescriptor | undefined;
  /** As it is now; undefined for one that is gone. */
  readonly now: PropertyDescriptor | undefined;
}

interface Owner {
  readonly object: object;
  readonly name: string;
  readonly keys: readonly PropertyKey[];
  readonly first: readonly PropertyDescriptor[];
  /** What the notebook may have made of it: as it is since the last look. */
  readonly accepted: (PropertyDescriptor | undefined)[];
  /** Names that were added and do no harm; undefined where additions are not looked at. */
  added: PropertyKey[] | undefined;
  readonly prototype: object | null;
}

/** What other packages replace for their own reasons, and nothing of the kernel reads. */
const passedOver = ["globalThis", "global", "performance", "navigator", "console", "crypto"];

/**
 * The built-in functions of the realm, on which the kernel relies as any package does. A cell may replace them, as a polyfill or a spy
 * does; where the kernel could not go on with that, they are put back.
 */
export class BuiltIns {
  private readonly owners: Owner[] = [];
  /** Values to look at often: those by which a report is sent. */
  private readonly often: { owner: Owner; at: number; read: () => unknown }[] = [];
  private readonly all: Owner;
  private isBusy = false;

  /** @param works whether all that the kernel needs does what it should */
  constructor(private readonly works: () => boolean) {
    for (const key of lateInNode) asValue(key);
    this.all = this.add(globalThis, "globalThis", false)!;
    for (const key of Object.getOwnPropertyNames(globalThis)) {
      const value = getOwnPropertyDescriptor(globalThis, key)?.value as unknown;
      if (passedOver.includes(key) || !/^[A-Z]/.test(key)) continue;
      this.add(value, key, false);
      this.add((value as { prototype?: unknown } | null)?.prototype, `${key}.prototype`, true);
    }
    const hidden: Record<string, unknown> = {
      "the prototype of iterators": getPrototypeOf(getPrototypeOf([][Symbol.iterator]())!),
      "the prototype of array iterators": arrayIterators,
      "the prototype of map iterators": getPrototypeOf(new Map().entries()),
      "the prototype of set iterators": getPrototypeOf(new Set().values()),
      "the prototype of typed arrays": typedArrays,
      process: globalThis.process,
      "the prototype of process": getPrototypeOf(globalThis.process),
      "EventEmitter.prototype": getPrototypeOf(getPrototypeOf(globalThis.process)!),
    };
    for (const [name, value] of Object.entries(hidden)) this.add(value, name, name === "process");
    for (const [name, read] of sendsBy) this.lookOften(name, read);
  }

  /**
   * Puts back what the kernel could not go on with; the names of that.
   *
   * @param o.quick look only at what sends a report
   */
  check(o: { quick?: boolean } = {}): readonly string[] {
    if (this.isBusy || (o.quick && !this.hasQuickChange())) return [];
    const changes = this.changes(false);
    if (changes.length === 0) return [];
    this.isBusy = true;
    try {
      if (this.passes()) {
        for (let i = 0; i < changes.length; i++) accept(changes[i]!);
        return [];
      }
      return this.repaired(changes);
    } finally {
      this.isBusy = false;
    }
  }

  /** Puts everything back: something has failed that never should. The names of that. */
  restore(): readonly string[] {
    return undo(this.changes(true));
  }

  /** One of the changes may be the one that does harm: the others are kept. */
  private repaired(changes: readonly Change[]): readonly string[] {
    for (let i = 0; i < changes.length && i < mostTried; i++) {
      const names = undo([changes[i]!]);
      if (this.passes()) {
        for (let k = 0; k < changes.length; k++) if (k !== i) accept(changes[k]!);
        return names;
      }
      redo(changes[i]!);
    }
    const names = undo(changes);
    return this.passes() ? names : this.restore();
  }

  private passes(): boolean {
    try {
      return this.works();
    } catch {
      return false;
    }
  }

  /** Asked at every print and every `await`, so by reads that V8 has compiled for one property each: descriptors take ten times as long. */
  private hasQuickChange(): boolean {
    const { often } = this;
    try {
      for (let i = 0; i < often.length; i++) {
        const { owner, at, read } = often[i]!;
        if (read() !== owner.accepted[at]?.value) return true;
      }
    } catch {
      // A cell has put a getter there.
      return true;
    }
    const root = this.owners[this.rootAt]!;
    return ownKeys(root.object).length !== root.keys.length + root.added!.length;
  }

  /** @param all compared with what was there at first, instead of at the last look */
  private changes(all: boolean): Change[] {
    const found: Change[] = [];
    const { owners } = this;
    for (let i = 0; i < owners.length; i++) changesOf(owners[i]!, all, found);
    return found;
  }

  private rootAt = 0;

  private add(object: unknown, name: string, additions: boolean): Owner | undefined {
    if (object === null || (typeof object !== "object" && typeof object !== "function")) return undefined;
    if (this.owners.some((owner) => owner.object === object)) return undefined;
    // A process counts its listeners in properties of its own.
    const isProcess = object === globalThis.process;
    const keys = ownKeys(object).filter((key) => !isProcess || !String(key).startsWith("_"));
    const first = keys.map((key) => getOwnPropertyDescriptor(object, key)!);
    // So that no property that a cell adds to every object becomes a part of them.
    for (const descriptor of first) setPrototypeOf(descriptor, null);
    if (object === Object.prototype) this.rootAt = this.owners.length;
    const owner: Owner = {
      object,
      name,
      keys,
      first,
      accepted: [...first],
      added: additions ? ownKeys(object).filter((key) => !keys.includes(key)) : undefined,
      prototype: getPrototypeOf(object),
    };
    this.owners.push(owner);
    return owner;
  }

  private lookOften(name: string, read: () => unknown): void {
    const [object, key] = name.split(".").length > 1 ? split(name) : ["globalThis", name];
    const owner = this.owners.find((one) => one.name === object) ?? this.all;
    const at = owner.keys.findIndex((one) => String(one) === key || one === wellKnown(key));
    if (at >= 0) this.often.push({ owner, at, read });
  }
}

/** Globals of Node behind a getter and a setter, which hide whether they were replaced. */
const lateInNode = ["Buffer", "process"];

function asValue(key: string): void {
  if (getOwnPropertyDescriptor(globalThis, key)?.get === undefined) return;
  const value = (globalThis as Record<string, unknown>)[key];
  defineProperty(globalThis, key, { value, writable: true, configurable: true, enumerable: false });
}

/** With more changes than that, finding the one that does harm takes too long. */
const mostTried = 40;

const typedArrays = getPrototypeOf(Uint8Array.prototype) as Uint8Array;
const arrayIterators = getPrototypeOf([][Symbol.iterator]()) as ArrayIterator<unknown>;

/** The names by which a report is made and sent, and a wait begins. */
const sendsBy: readonly (readonly [name: string, read: () => unknown])[] = [
  ["JSON", () => JSON],
  ["Buffer", () => globalThis.Buffer],
  ["Object", () => Object],
  ["Array", () => Array],
  ["Map", () => Map],
  ["Set", () => Set],
  ["Promise", () => Promise],
  ["Symbol", () => Symbol],
  ["Error", () => Error],
  ["Atomics", () => Atomics],
  ["Uint8Array", () => Uint8Array],
  ["JSON.stringify", () => JSON.stringify],
  ["JSON.parse", () => JSON.parse],
  ["Buffer.from", () => globalThis.Buffer.from],
  ["Buffer.allocUnsafe", () => globalThis.Buffer.allocUnsafe],
  ["Buffer.concat", () => globalThis.Buffer.concat],
  ["Buffer.prototype.writeUInt32LE", () => globalThis.Buffer.prototype.writeUInt32LE],
  ["Buffer.prototype.readUInt32LE", () => globalThis.Buffer.prototype.readUInt32LE],
  ["Buffer.prototype.copy", () => globalThis.Buffer.prototype.copy],
  ["Buffer.prototype.subarray", () => globalThis.Buffer.prototype.subarray],
  ["the prototype of typed arrays.set", () => typedArrays.set],
  ["the prototype of typed arrays.subarray", () => typedArrays.subarray],
  ["Array.prototype.push", () => Array.prototype.push],
  ["Array.prototype.map", () => Array.prototype.map],
  ["Array.prototype.reduce", () => Array.prototype.reduce],
  ["Array.prototype.find", () => Array.prototype.find],
  ["Array.prototype.@@iterator", () => Array.prototype[Symbol.iterator]],
  ["the prototype of array iterators.next", () => arrayIterators.next],
  ["Map.prototype.get", () => Map.prototype.get],
  ["Map.prototype.set", () => Map.prototype.set],
  ["Map.prototype.delete", () => Map.prototype.delete],
  ["Map.prototype.@@iterator", () => Map.prototype[Symbol.iterator]],
  ["Set.prototype.add", () => Set.prototype.add],
  ["Set.prototype.has", () => Set.prototype.has],
  ["Set.prototype.delete", () => Set.prototype.delete],
  ["Set.prototype.@@iterator", () => Set.prototype[Symbol.iterator]],
  ["Promise.prototype.then", () => Promise.prototype.then],
  ["Function.prototype.call", () => Function.prototype.call],
  ["Function.prototype.apply", () => Function.prototype.apply],
  ["Atomics.store", () => Atomics.store],
  ["Atomics.load", () => Atomics.load],
  ["Atomics.wait", () => Atomics.wait],
  ["String.prototype.endsWith", () => String.prototype.endsWith],
  ["String.prototype.startsWith", () => String.prototype.startsWith],
];

function split(name: string): [object: string, key: string] {
  const at = name.lastIndexOf(".");
  return [name.slice(0, at), name.slice(at + 1)];
}

const wellKnown = (key: string): symbol | undefined => (key === "@@iterator" ? Symbol.iterator : undefined);

const isSame = (a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.value === b.value && a.get === b.get);

/** The key under which a prototype is kept in a list of changes. */
const prototypeKey = Symbol("prototype");

function changesOf(owner: Owner, all: boolean, found: Change[]): void {
  const { object, keys, first, accepted, added } = owner;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const now = bare(getOwnPropertyDescriptor(object, key));
    const before = first[i]!;
    // NaN, the one value that is not itself, is a constant.
    if (!isSame(now, all ? before : accepted[i]) && before.value === before.value)
      found[found.length] = { owner, key, before, now };
  }
  const prototype = getPrototypeOf(object);
  if (prototype !== owner.prototype)
    found[found.length] = { owner, key: prototypeKey, before: undefined, now: { value: prototype } };
  if (!added) return;
  const present = ownKeys(object);
  if (present.length <= keys.length + (all ? 0 : added.length)) return;
  for (let i = 0; i < present.length; i++) {
    const key = present[i]!;
    if (!has(keys, key) && (all || !has(added, key)))
      found[found.length] = {
        owner,
        key,
        before: undefined,
        now: bare(getOwnPropertyDescriptor(object, key)),
      };
  }
}

function has(list: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === key) return true;
  return false;
}

function bare(descriptor: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  if (descriptor) setPrototypeOf(descriptor, null);
  return descriptor;
}

function accept({ owner, key, before, now }: Change): void {
  if (before === undefined) {
    if (owner.added && key !== prototypeKey) owner.added[owner.added.length] = key;
    return;
  }
  const { keys, accepted } = owner;
  for (let i = 0; i < keys.length; i++) if (keys[i] === key) accepted[i] = now;
}

/** Puts back what can be; the names of all of it. */
function undo(changes: readonly Change[]): string[] {
  const names: string[] = [];
  for (let i = 0; i < changes.length; i++) {
    const { owner, key, before } = changes[i]!;
    names[names.length] = nameOf(owner, key);
    if (key === prototypeKey) setPrototypeOf(owner.object, owner.prototype);
    else if (before) defineProperty(owner.object, key, before);
    else deleteProperty(owner.object, key);
    if (before) accept({ ...changes[i]!, now: before });
  }
  return names;
}

function redo({ owner, key, before, now }: Change): void {
  if (key === prototypeKey) setPrototypeOf(owner.object, now!.value as object | null);
  else if (now) defineProperty(owner.object, key, now);
  else deleteProperty(owner.object, key);
  if (before) accept({ owner, key, before, now });
}

function nameOf({ name, object }: Owner, key: PropertyKey): string {
  if (key === prototypeKey) return `the prototype of ${name}`;
  if (typeof key === "symbol") return `${name}[${key.description ?? ""}]`;
  return object === globalThis ? `globalThis.${key as string}` : `${name}.${key as string}`;
}
