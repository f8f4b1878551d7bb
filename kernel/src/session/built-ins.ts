// One file because what is recorded, compared and put back is one record. All of it must work while cells have replaced any built-in
// function: it calls functions that it holds, walks lists by index, and uses no method.
/* eslint-disable @typescript-eslint/prefer-for-of -- for-of asks a list for its iterator, which a cell may have replaced. */
import { arrayIterators, sendsBy, typedArrays } from "./sends-by.js";

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, defineProperty, deleteProperty } =
  Reflect;

type Descriptor = PropertyDescriptor | undefined;

/** A property that a cell has replaced, added to a prototype, or deleted. */
interface Change {
  readonly owner: Owner;
  readonly key: PropertyKey;
  /** As it is to be put back; undefined for one that is new. */
  readonly before: Descriptor;
  /** As it is now; undefined for one that is gone. */
  readonly now: Descriptor;
}

interface Addition {
  readonly key: PropertyKey;
  now: Descriptor;
}

interface Owner {
  readonly object: object;
  readonly name: string;
  readonly keys: readonly PropertyKey[];
  readonly first: readonly PropertyDescriptor[];
  /** Descriptor that the notebook may have changed: as it is since the last look. */
  readonly accepted: Descriptor[];
  /** Additions that do no harm; undefined where additions are not looked at. */
  readonly added: Addition[] | undefined;
  readonly prototype: object | null;
  acceptedPrototype: object | null;
}

/** Damage that the kernel could not survive. */
export interface Harm {
  /** The name of the property, as code writes it. */
  readonly name: string;
  /** It could not be put back. */
  readonly isStuck: boolean;
  /** The cell whose code did it, where that was seen. */
  readonly cell: string | undefined;
}

/** Whether all that the kernel needs does what it should. */
export interface Trials {
  pass(): boolean;
  /** Gives up on checks that fail now: they are not made again. */
  forgetFailing(): void;
}

/** Globals that other packages replace for their own reasons, and that the kernel does not read. */
const passedOver = ["globalThis", "global", "performance", "navigator", "console", "crypto"];

/**
 * The built-in functions of the realm, on which the kernel relies as any package does. A cell may replace them, as a polyfill or a spy
 * does; where the kernel could not go on with that, they are put back once the cell has ended.
 */
export class BuiltIns {
  private readonly owners: Owner[] = [];
  /** Values to look at often: those by which a report is sent. */
  private readonly often: { owner: Owner; at: number; read: () => unknown }[] = [];
  private readonly all: Owner;
  /** Object that every object inherits from, which can change any report. */
  private readonly root: Owner;
  /** Changes that were seen as another cell's code took over. */
  private origins: { readonly change: Change; readonly cell: string }[] = [];
  private isBusy = false;
  /** Replacements restored within the cell. */
  private early: Harm[] = [];

  constructor(private readonly trials: Trials) {
    for (const key of lateInNode) asValue(key);
    this.all = this.add(globalThis, "globalThis", false)!;
    for (const key of Object.getOwnPropertyNames(globalThis)) {
      const value = getOwnPropertyDescriptor(globalThis, key)?.value as unknown;
      if (passedOver.includes(key) || !/^[A-Z]/.test(key)) continue;
      this.add(value, key, false);
      this.add((value as { prototype?: unknown } | null)?.prototype, `${key}.prototype`, true);
    }
    this.root = this.owners.find(({ object }) => object === Object.prototype)!;
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
    for (const [name, read] of sendsBy()) this.lookOften(name, read);
  }

  /** The tests of the kernel call what a cell has put there: nothing that this prints is the cell's. */
  get isTesting(): boolean {
    return this.isBusy;
  }

  /** V8 has ended the look. */
  abandon(): void {
    this.isBusy = false;
  }

  /** Puts back what the kernel could not go on with, and tells what that was. Never in the middle of a cell, which may yet put it back. */
  check(): readonly Harm[] {
    if (this.isBusy) return [];
    const harms = this.early;
    this.early = [];
    const changes = this.changes();
    if (changes.length === 0) {
      this.origins = [];
      return harms;
    }
    this.isBusy = true;
    try {
      if (this.passes()) {
        for (let i = 0; i < changes.length; i++) accept(changes[i]!);
        return harms;
      }
      this.repair(changes, harms);
      return harms;
    } finally {
      this.isBusy = false;
      this.origins = [];
    }
  }

  /**
   * Puts back at once that without which the host's event loop ends the whole process: there would be no end of the cell to wait for.
   * Asked at every wait, so by plain reads.
   */
  keepTurning(): void {
    if (turns() || this.isBusy) return;
    const changes = this.changes();
    for (let i = 0; i < changes.length; i++) {
      const change = changes[i]!;
      if (has(turnsBy, change.key) && undo(change)) this.early[this.early.length] = this.harm(change, false);
    }
  }

  /**
   * Lets the session work in the middle of a cell as if the cell had replaced nothing. Call what it returns at once after that.
   *
   * @param o.all also what no report is sent by
   */
  lend(o?: { all: boolean }): (() => void) | undefined {
    if (this.isBusy) return undefined;
    const isAll = o !== undefined && o.all;
    if (!isAll && !this.hasQuickChange()) return undefined;
    const changes = isAll ? this.changes() : this.quickChanges();
    if (changes.length === 0) return undefined;
    for (let i = 0; i < changes.length; i++) undo(changes[i]!);
    return () => {
      for (let i = changes.length - 1; i >= 0; i--) redo(changes[i]!);
    };
  }

  /** Another cell's code takes over from that of this one: what has changed until now is its doing. */
  leave(cell: string, o: { all: boolean }): void {
    if (this.isBusy || (!o.all && !this.hasQuickChange())) return;
    const changes = o.all ? this.changes() : this.quickChanges();
    for (let i = 0; i < changes.length; i++) {
      const change = changes[i]!;
      if (this.originOf(change) === undefined) this.origins[this.origins.length] = { change, cell };
    }
  }

  /** Leaves as much as does no harm: all but one, or else whatever the kernel works with, one after the other. */
  private repair(changes: readonly Change[], harms: Harm[]): void {
    for (let i = 0; i < changes.length && i < mostTried; i++) {
      const change = changes[i]!;
      if (undo(change) && this.passes()) {
        for (let k = 0; k < changes.length; k++) if (k !== i) accept(changes[k]!);
        harms[harms.length] = this.harm(change, false);
        return;
      }
      redo(change);
    }
    const back: Change[] = [];
    for (let i = 0; i < changes.length; i++) {
      const change = changes[i]!;
      if (undo(change)) back[back.length] = change;
      else {
        harms[harms.length] = this.harm(change, true);
        const { owner, key } = change;
        accept({ owner, key, before: change.before, now: current(owner, key) });
      }
    }
    // Where something is stuck, nothing that was accepted is to blame.
    if (back.length === changes.length && !this.passes()) this.restore(harms);
    if (!this.passes()) this.trials.forgetFailing();
    for (let i = 0; i < back.length; i++) {
      const change = back[i]!;
      if (i < mostTried) {
        redo(change);
        if (this.passes()) {
          accept(change);
          continue;
        }
        undo(change);
      }
      harms[harms.length] = this.harm(change, false);
    }
  }

  /** Puts back also what was accepted: together with something else it does harm after all. */
  private restore(harms: Harm[]): void {
    const changes: Change[] = [];
    for (let i = 0; i < this.owners.length; i++) changesOf(this.owners[i]!, true, changes);
    for (let i = 0; i < changes.length; i++) {
      const change = changes[i]!;
      // What is stuck was told before.
      if (!undo(change)) continue;
      accept({ owner: change.owner, key: change.key, before: change.now, now: change.before });
      harms[harms.length] = this.harm(change, false);
    }
  }

  private harm(change: Change, isStuck: boolean): Harm {
    return { name: nameOf(change.owner, change.key), isStuck, cell: this.originOf(change) };
  }

  private originOf({ owner, key, now }: Change): string | undefined {
    for (let i = this.origins.length - 1; i >= 0; i--) {
      const { change, cell } = this.origins[i]!;
      if (change.owner === owner && change.key === key && isSame(change.now, now)) return cell;
    }
    return undefined;
  }

  private passes(): boolean {
    try {
      return this.trials.pass();
    } catch {
      return false;
    }
  }

  /** Asked at every print, so by reads that V8 has compiled for one property each: descriptors take ten times as long. */
  private hasQuickChange(): boolean {
    const { often } = this;
    try {
      for (let i = 0; i < often.length; i++) {
        const { owner, at, read } = often[i]!;
        const accepted = owner.accepted[at];
        if (read() !== (accepted && accepted.value)) return true;
      }
    } catch {
      // A cell has put a getter there.
      return true;
    }
    return !hasKeys(this.root);
  }

  private quickChanges(): Change[] {
    const found: Change[] = [];
    const { often } = this;
    for (let i = 0; i < often.length; i++) {
      const { owner, at } = often[i]!;
      const key = owner.keys[at]!;
      const now = bare(getOwnPropertyDescriptor(owner.object, key));
      const before = owner.accepted[at];
      if (!isSame(now, before)) found[found.length] = { owner, key, before, now };
    }
    additionsOf(this.root, false, found);
    return found;
  }

  private changes(): Change[] {
    const found: Change[] = [];
    const { owners } = this;
    for (let i = 0; i < owners.length; i++) changesOf(owners[i]!, false, found);
    return found;
  }

  private add(object: unknown, name: string, additions: boolean): Owner | undefined {
    if (object === null || (typeof object !== "object" && typeof object !== "function")) return undefined;
    if (this.owners.some((owner) => owner.object === object)) return undefined;
    const keys = ownKeys(object).filter((key) => !isOfListeners(object, key));
    const first = keys.map((key) => getOwnPropertyDescriptor(object, key)!);
    // So that no property that a cell adds to every object becomes a part of them.
    for (const descriptor of first) setPrototypeOf(descriptor, null);
    const prototype = getPrototypeOf(object);
    const owner: Owner = {
      object,
      name,
      keys,
      first,
      accepted: [...first],
      added: additions ? [] : undefined,
      prototype,
      acceptedPrototype: prototype,
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

const Functions = Function;
const { apply, call } = Functions.prototype;
const turnsBy: readonly PropertyKey[] = ["apply", "call", "emit", "nextTick", "process"];

/** Whether the event loop of Node can go on: it calls its listeners by these. */
function turns(): boolean {
  try {
    const { prototype } = Functions;
    if (typeof process.emit !== "function" || typeof process.nextTick !== "function") return false;
    if (prototype.apply === apply && prototype.call === call) return true;
    return added.apply(1, [2]) === 3 && added.call(1, 2) === 3;
  } catch {
    return false;
  }
}

function added(this: number, x: number): number {
  return this + x;
}

/** With more changes than that, finding those that do harm takes too long. */
const mostTried = 100;

function split(name: string): [object: string, key: string] {
  const at = name.lastIndexOf(".");
  return [name.slice(0, at), name.slice(at + 1)];
}

const wellKnown = (key: string): symbol | undefined => (key === "@@iterator" ? Symbol.iterator : undefined);

/** NaN is a constant, and not itself. */
const isOne = (a: unknown, b: unknown): boolean => a === b || (a !== a && b !== b);

const isSame = (a: Descriptor, b: Descriptor): boolean =>
  a === b || (a !== undefined && b !== undefined && isOne(a.value, b.value) && a.get === b.get);

/** A process counts its listeners in properties of its own. */
const isOfListeners = (object: object, key: PropertyKey): boolean =>
  object === theProcess && typeof key === "string" && key[0] === "_";

const theProcess = globalThis.process as object;

/** The key under which a prototype is kept in a list of changes. */
const prototypeKey = Symbol("prototype");

/** @param all compared with what was there at first, instead of at the last look */
function changesOf(owner: Owner, all: boolean, found: Change[]): void {
  const { object, keys, first, accepted } = owner;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const now = bare(getOwnPropertyDescriptor(object, key));
    const before = all ? first[i] : accepted[i];
    if (!isSame(now, before)) found[found.length] = { owner, key, before, now };
  }
  const before = all ? owner.prototype : owner.acceptedPrototype;
  const now = getPrototypeOf(object);
  if (now !== before)
    found[found.length] = { owner, key: prototypeKey, before: valued(before), now: valued(now) };
  additionsOf(owner, all, found);
}

function additionsOf(owner: Owner, all: boolean, found: Change[]): void {
  const { object, added } = owner;
  if (!added || (added.length === 0 && hasKeys(owner))) return;
  for (let i = 0; i < added.length; i++) {
    const { key, now: accepted } = added[i]!;
    const now = bare(getOwnPropertyDescriptor(object, key));
    const before = all ? undefined : accepted;
    if (!isSame(now, before)) found[found.length] = { owner, key, before, now };
  }
  const present = ownKeys(object);
  for (let i = 0; i < present.length; i++) {
    const key = present[i]!;
    if (has(owner.keys, key) || additionOf(added, key) || isOfListeners(object, key)) continue;
    const now = bare(getOwnPropertyDescriptor(object, key));
    found[found.length] = { owner, key, before: undefined, now };
  }
}

/** Whether an object has the names that it had, and those that were added, in that order: what was put back may be elsewhere now. */
function hasKeys({ object, keys, added }: Owner): boolean {
  const present = ownKeys(object);
  const more = added ? added.length : 0;
  if (present.length !== keys.length + more) return false;
  for (let i = 0, k = 0; i < present.length; i++) {
    const key = present[i]!;
    // Names come before symbols, so those of additions may stand in the middle.
    if (key === keys[k]) k++;
    else if (!(added && additionOf(added, key)) && !has(keys, key)) return false;
  }
  return true;
}

function has(list: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === key) return true;
  return false;
}

function additionOf(added: readonly Addition[], key: PropertyKey): Addition | undefined {
  for (let i = 0; i < added.length; i++) if (added[i]!.key === key) return added[i];
  return undefined;
}

function bare(descriptor: Descriptor): Descriptor {
  if (descriptor) setPrototypeOf(descriptor, null);
  return descriptor;
}

const valued = (value: unknown): PropertyDescriptor => ({ __proto__: null, value }) as PropertyDescriptor;

/** Remembers a property as it is now. */
function accept({ owner, key, now }: Change): void {
  if (key === prototypeKey) {
    owner.acceptedPrototype = now!.value as object | null;
    return;
  }
  const { keys, accepted, added } = owner;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] !== key) continue;
    accepted[i] = now;
    return;
  }
  if (!added) return;
  let at = 0;
  while (at < added.length && added[at]!.key !== key) at++;
  if (now) {
    added[at] = { key, now };
    return;
  }
  if (at === added.length) return;
  added[at] = added[added.length - 1]!;
  added.length--;
}

/** Whether a property is again as it was before. */
function undo({ owner, key, before }: Change): boolean {
  return put(owner, key, before);
}

function redo({ owner, key, now }: Change): boolean {
  return put(owner, key, now);
}

function current({ object }: Owner, key: PropertyKey): Descriptor {
  return key === prototypeKey ? valued(getPrototypeOf(object)) : bare(getOwnPropertyDescriptor(object, key));
}

/** Makes a property what it is to be, as far as its owner lets it; whether it is. */
function put({ object }: Owner, key: PropertyKey, to: Descriptor): boolean {
  if (key === prototypeKey) return setPrototypeOf(object, to!.value as object | null);
  if (to) {
    // One that nobody may configure may still be written to.
    if (!defineProperty(object, key, to) && to.get === undefined)
      defineProperty(object, key, valued(to.value));
  } else if (!deleteProperty(object, key)) defineProperty(object, key, valued(undefined));
  return isSame(bare(getOwnPropertyDescriptor(object, key)), to);
}

function nameOf({ name, object }: Owner, key: PropertyKey): string {
  if (key === prototypeKey) return `the prototype of ${name}`;
  if (typeof key === "symbol") return `${name}[${key.description ?? ""}]`;
  return object === globalThis ? `globalThis.${key as string}` : `${name}.${key as string}`;
}
