/* eslint-disable @typescript-eslint/prefer-for-of -- for-of asks a list for its iterator, which a cell may have replaced. */
import { toBundle } from "../display/bundle.js";
import { encodePacket, PacketReader } from "../process/pipe.js";
import type { Trials } from "./built-ins.js";
import type { ErrorFormatter } from "./errors.js";

type Trial = readonly [run: () => unknown, is: unknown];

/** Held here: a polyfill of Map is shown otherwise, and does no harm. */
const NativeMap = Map;

/** These come first: the others go through lists, and would never end where one of those goes on for ever. */
const ends: readonly Trial[] = [
  [() => endsAfter([1, 2][Symbol.iterator](), 2), true],
  [() => endsAfter([1, 2].entries(), 2) && endsAfter([1].keys(), 1) && endsAfter([1].values(), 1), true],
  [() => endsAfter("ab"[Symbol.iterator](), 2), true],
  [() => endsAfter(new Uint8Array(2)[Symbol.iterator](), 2), true],
  [() => endsAfter(new Map().set(1, 2)[Symbol.iterator](), 1), true],
  [() => endsAfter(new Map().set(1, 2).keys(), 1) && endsAfter(new Map().set(1, 2).values(), 1), true],
  [() => endsAfter(new Map().set(1, 2).entries(), 1), true],
  [() => endsAfter(new NativeMap().set(1, 2)[Symbol.iterator](), 1), true],
  [() => endsAfter(new Set().add(1)[Symbol.iterator](), 1) && endsAfter(new Set().add(1).values(), 1), true],
  [() => endsAfter("a1".matchAll(/\d/g), 1), true],
  [() => endsAfter(Object.keys({ a: 1 })[Symbol.iterator](), 1), true],
];

/** Whether an iterator gives so many values and then is done; never asked for more. */
function endsAfter(iterator: Iterator<unknown>, count: number): boolean {
  for (let i = 0; i < count; i++) if (iterator.next().done) return false;
  return iterator.next().done === true;
}

/** Properties of the language that every package relies on, each with its result. */
const language: readonly Trial[] = [
  [() => JSON.stringify({ a: [1, "b", null] }), '{"a":[1,"b",null]}'],
  [() => (JSON.parse('{"a":[1]}') as { a: number[] }).a[0], 1],
  [() => Object.keys({ a: 1, b: 2 }).length, 2],
  [() => Object.entries({ a: 1 })[0]![1], 1],
  [() => Object.values({ a: 3 })[0], 3],
  [() => Object.assign({}, { a: 1 }).a, 1],
  [() => (Object.fromEntries([["a", 1]]) as { a: number }).a, 1],
  [() => (Object.defineProperty({}, "a", { value: 4 }) as { a: number }).a, 4],
  [() => Object.getOwnPropertyNames({ a: 1 })[0], "a"],
  [() => Object.hasOwn({ a: 1 }, "a") && !Object.hasOwn({}, "a"), true],
  [() => Object.getPrototypeOf([]) === Array.prototype, true],
  [() => Object.create(null) !== null && Object.isFrozen(Object.freeze({})), true],
  [() => ({}).hasOwnProperty.call({ a: 1 }, "a"), true],
  [() => Object.prototype.toString.call([]), "[object Array]"],
  [() => ({}) instanceof Object && typeof ({} as { then?: unknown }).then === "undefined", true],
  [() => Reflect.ownKeys({ a: 1 })[0], "a"],
  [() => (Reflect.get({ a: 1 }, "a") as number) + Number(Reflect.has({ b: 1 }, "b")), 2],
  [() => Array.isArray([]) && !Array.isArray({}), true],
  [() => Array.from("ab", (c) => c + c)[1], "bb"],
  [() => [...[1, 2], ...new Set([3])].length, 3],
  [() => [1, 2, 3].map((x) => 2 * x)[2], 6],
  [() => [1, 2, 3].filter((x) => x > 1)[0], 2],
  [() => [1, 2, 3].reduce((a, b) => a + b, 0), 6],
  [() => [1, 2, 3].slice(1).concat([4]).join("-"), "2-3-4"],
  [() => [1, 2].includes(2) && [1, 2].indexOf(2) === 1 && [1].some((x) => x === 1), true],
  [() => [1, 2].every((x) => x > 0) && [1, 2].find((x) => x > 1) === 2, true],
  [() => [1, 2].findIndex((x) => x > 1) + [[1], [2]].flat().length, 3],
  [() => [[1], [2, 3]].flatMap((x) => x).length, 3],
  [() => [3, 1, 2].sort((a, b) => a - b)[0], 1],
  [() => pushed(), "1,2,3"],
  [() => [1, 2].entries().next().value?.[1], 1],
  [() => [..."ab"].reverse().join(""), "ba"],
  [() => new Map([[1, 2]]).get(1), 2],
  [() => new Map().set("a", 1).has("a") && new Map([[1, 1]]).delete(1), true],
  [() => [...new Map([[1, 2]]).keys(), ...new Map([[1, 2]]).values()].join(), "1,2"],
  [() => [...new Map([[1, 2]])][0]![1] + new Map([[1, 2]]).size, 3],
  [() => new Set([1]).has(1) && new Set([1]).add(2).delete(2), true],
  [() => new WeakMap([[language, 1]]).get(language), 1],
  [() => new WeakSet([language]).has(language), true],
  [() => "a,b".split(",")[1], "b"],
  [() => "aXa".replace("X", "b").replaceAll("a", "c"), "cbc"],
  [() => "a1b2".replace(/\d/g, (d) => `<${d}>`), "a<1>b<2>"],
  [() => /(\d+)/.exec("a12")![1], "12"],
  [() => /b/.test("abc") && !/x/.test("abc"), true],
  [() => [..."a1b2".matchAll(/\d/g)].length + "a1".match(/\d/)!.length, 3],
  [() => "abc".slice(1).concat("d").toUpperCase().toLowerCase(), "bcd"],
  [() => "abc".startsWith("ab") && "abc".endsWith("c") && "abc".includes("b"), true],
  [() => "a".padStart(2, "-").padEnd(3, "-") + " a ".trim().repeat(2), "-a-aa"],
  [() => "abc".indexOf("c") + "abc".charCodeAt(0) + "abcabc".lastIndexOf("a"), 102],
  [() => String(12) + Number("3").toFixed(1) + String(true), "123.0true"],
  [() => Number.isFinite(1) && Number.isInteger(1) && Number.isNaN(NaN) && !Number.isFinite("1"), true],
  [() => Math.max(1, 2) + Math.min(3, 4) + Math.floor(1.5) + Math.ceil(0.5) + Math.round(0.6), 8],
  [() => parseInt("12", 10) + parseFloat("0.5"), 12.5],
  [() => String(Symbol("a").description) + typeof Symbol.iterator, "asymbol"],
  [() => Symbol.for("turnwise.display") === Symbol.for("turnwise.display"), true],
  // Where a polyfill has taken the name, the promises of the language are still others.
  [() => typeof (async () => 0)().then + String(Promise.resolve(1) instanceof Promise), "functiontrue"],
  [() => Promise.resolve().then(() => 0) instanceof Promise, true],
  [
    () =>
      Promise.resolve().catch(() => 0) instanceof Promise &&
      Promise.resolve().finally(() => 0) instanceof Promise,
    true,
  ],
  [() => Promise.all([]) instanceof Promise && Promise.race([0]) instanceof Promise, true],
  [() => new Promise(() => undefined) instanceof Promise, true],
  [() => new Error("a") instanceof Error && new TypeError("b").message, "b"],
  [() => new Date(0).toISOString(), "1970-01-01T00:00:00.000Z"],
  [() => called.call(2, 1) + called.apply(2, [1]) + called.bind(2, 1)(), 9],
  [() => new Uint8Array([1, 2, 3]).subarray(1)[0], 2],
  [() => settled()[1], 5],
  [() => new DataView(new Uint8Array([1, 0]).buffer).getUint16(0, true), 1],
  [() => Atomics.load(new Int32Array(new SharedArrayBuffer(4)), 0), 0],
  [() => Atomics.store(new Int32Array(new SharedArrayBuffer(4)), 0, 3), 3],
  [() => new TextDecoder().decode(new TextEncoder().encode("é")), "é"],
  [() => encodeURIComponent(" ") + decodeURIComponent("%20"), "%20 "],
  [() => Buffer.concat([Buffer.from("a"), Buffer.from("b")]).toString("utf8"), "ab"],
  [() => typeof globalThis.setTimeout + typeof globalThis.clearTimeout, "functionfunction"],
  [() => typeof process.nextTick + typeof process.cwd(), "functionstring"],
  [() => typeof process.emit + typeof process.on + typeof process.exit, "functionfunctionfunction"],
  [() => emitted(), 5],
  [() => typeof queueMicrotask + typeof structuredClone, "functionfunction"],
];

function pushed(): string {
  const list = [2];
  list.push(3);
  list.unshift(0, 1);
  list.splice(0, 1);
  list.push(4);
  list.pop();
  return list.join(",");
}

function settled(): Uint8Array {
  const bytes = new Uint8Array(2);
  bytes.set([5], 1);
  return bytes;
}

/** By a name that is nobody else's. */
const event = "turnwise self-test";

function emitted(): number {
  let heard = 0;
  const listener = (a: number, b: number): void => void (heard = a + b);
  process.on(event, listener as never);
  process.emit(event as never, 2 as never, 3 as never);
  process.removeListener(event, listener as never);
  return heard;
}

function called(this: unknown, x: number): number {
  return Number(this) + x;
}

/**
 * Whether the built-in functions, as they are now, let the session do its work: report, show values and errors. To be made before any
 * cell runs: what a host has not, or has in another form, is not asked for later.
 */
export function selfTest(errors: ErrorFormatter): Trials {
  const all: readonly Trial[] = [
    ...ends,
    ...language,
    [speaks, true],
    [shown, "Map(1) { 'a' => [ 1, { b: 'c' } ] }"],
    [() => tellsErrors(errors), true],
  ];
  let trials = all.filter(holds);
  return {
    pass() {
      for (let i = 0; i < trials.length; i++) if (!holds(trials[i]!)) return false;
      return true;
    },
    forgetFailing() {
      const left: Trial[] = [];
      for (let i = 0; i < trials.length; i++) if (holds(trials[i]!)) left[left.length] = trials[i]!;
      trials = left;
    },
  };
}

function holds(trial: Trial): boolean {
  // No destructuring: that asks the array for its iterator.
  const run = trial[0];
  const is = trial[1];
  try {
    return run() === is;
  } catch {
    return false;
  }
}

function speaks(): boolean {
  let heard: unknown;
  const reader = new PacketReader<{ t: string; text: string; list: unknown[] }>((packet) => (heard = packet));
  const sent = { t: "stream", text: "é", list: [{ a: 1 }] };
  reader.push(encodePacket<typeof sent>(sent, [new Uint8Array([1, 2])]));
  const { body, buffers } = heard as { body: typeof sent; buffers: Uint8Array[] };
  const [first] = body.list as { a: number }[];
  return body.text === "é" && first!.a === 1 && buffers.length === 1 && buffers[0]![1] === 2;
}

function shown(): unknown {
  const bundle = toBundle(new NativeMap([["a", [1, { b: "c" }]]]));
  return "text/plain" in bundle ? bundle["text/plain"] : undefined;
}

function tellsErrors(errors: ErrorFormatter): boolean {
  const { ename, evalue, traceback } = errors.format(new RangeError("said", { cause: new Error("why") }));
  return ename === "RangeError" && evalue === "said" && traceback.join("\n").includes("Caused by:");
}
