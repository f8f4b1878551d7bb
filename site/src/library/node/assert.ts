import { refused } from "../errors.js";
import { deepEqual as isDeepEqual, isAlike } from "../deepEqual.js";
import { inspect } from "./util.js";

/** Replacement of Node's `assert` in cells of a page. */

interface Failure {
  readonly message?: string;
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly operator?: string;
}

export class AssertionError extends Error {
  readonly code = "ERR_ASSERTION";
  readonly actual: unknown;
  readonly expected: unknown;
  readonly operator: string | undefined;
  readonly generatedMessage: boolean;

  constructor({ message, actual, expected, operator }: Failure) {
    super(message ?? `${shown(actual)} ${operator ?? "=="} ${shown(expected)}`);
    Object.defineProperty(this, "name", { value: "AssertionError", writable: true, configurable: true });
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    this.generatedMessage = message === undefined;
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

type Message = string | Error | undefined;

const shown = (value: unknown): string => inspect(value, { depth: 1000, sorted: true, compact: false });
const isSimple = (value: unknown): boolean => typeof value !== "object" || value === null;

function refuse(own: Message, text: string, o: Failure): never {
  if (own instanceof Error) throw own;
  const error = new AssertionError({ ...o, message: own ?? text });
  throw Object.assign(error, { generatedMessage: own === undefined });
}

/** Both values line by line: what is only in one of them has its sign. */
function difference(actual: unknown, expected: unknown): string {
  const [a, b] = [shown(actual).split("\n"), shown(expected).split("\n")];
  if (isSimple(actual) && isSimple(expected) && a.length + b.length === 2) return `\n\n${a[0]} !== ${b[0]}\n`;
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const lines = [
    ...a.slice(0, head).map((line) => `  ${line}`),
    ...a.slice(head, a.length - tail).map((line) => `+ ${line}`),
    ...b.slice(head, b.length - tail).map((line) => `- ${line}`),
    ...a.slice(a.length - tail).map((line) => `  ${line}`),
  ];
  return `\n+ actual - expected\n\n${lines.join("\n")}`;
}

export function ok(...given: [value?: unknown, message?: Message]): void {
  const [value, message] = given;
  if (given.length === 0) refuse(undefined, "No value argument passed to `assert.ok()`", { operator: "==" });
  if (!value) refuse(message, `${shown(value)} == true`, { actual: value, expected: true, operator: "==" });
}

export function fail(message: Message = "Failed"): never {
  return refuse(message, "Failed", { operator: "fail" });
}

export function equal(actual: unknown, expected: unknown, message?: Message): void {
  if (isAlike(actual, expected, false)) return;
  refuse(message, `${shown(actual)} == ${shown(expected)}`, { actual, expected, operator: "==" });
}

export function notEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (!isAlike(actual, expected, false)) return;
  refuse(message, `${shown(actual)} != ${shown(expected)}`, { actual, expected, operator: "!=" });
}

export function strictEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (Object.is(actual, expected)) return;
  const text = `Expected values to be strictly equal:${difference(actual, expected)}`;
  refuse(message, text, { actual, expected, operator: "strictEqual" });
}

export function notStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (!Object.is(actual, expected)) return;
  const text = `Expected "actual" to be strictly unequal to: ${shown(expected)}`;
  refuse(message, text, { actual, expected, operator: "notStrictEqual" });
}

export function deepEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (isDeepEqual(actual, expected, false)) return;
  const text = `Expected values to be loosely deep-equal:\n\n${shown(actual)}\n\nshould loosely deep-equal\n\n${shown(expected)}`;
  refuse(message, text, { actual, expected, operator: "deepEqual" });
}

export function notDeepEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (!isDeepEqual(actual, expected, false)) return;
  const text = `Expected "actual" not to be loosely deep-equal to: ${shown(expected)}`;
  refuse(message, text, { actual, expected, operator: "notDeepEqual" });
}

export function deepStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (isDeepEqual(actual, expected, true)) return;
  const text = `Expected values to be strictly deep-equal:${difference(actual, expected)}`;
  refuse(message, text, { actual, expected, operator: "deepStrictEqual" });
}

export function notDeepStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  if (!isDeepEqual(actual, expected, true)) return;
  const text = `Expected "actual" not to be strictly deep-equal to: ${shown(expected)}`;
  refuse(message, text, { actual, expected, operator: "notDeepStrictEqual" });
}

const unmatched = (pattern: RegExp, text: unknown): string =>
  `The input did not match the regular expression ${shown(pattern)}. Input:\n\n${shown(text)}\n`;

export function match(text: string, pattern: RegExp, message?: Message): void {
  if (typeof text === "string" && pattern.test(text)) return;
  refuse(message, unmatched(pattern, text), { actual: text, expected: pattern, operator: "match" });
}

export function doesNotMatch(text: string, pattern: RegExp, message?: Message): void {
  if (typeof text !== "string" || !pattern.test(text)) return;
  const told = `The input was expected to not match the regular expression ${shown(pattern)}. Input:\n\n${shown(text)}\n`;
  refuse(message, told, { actual: text, expected: pattern, operator: "doesNotMatch" });
}

export function ifError(value: unknown): void {
  if (value === null || value === undefined) return;
  const text = value instanceof Error ? value.message : shown(value);
  refuse(undefined, `ifError got unwanted exception: ${text}`, {
    actual: value,
    expected: null,
    operator: "ifError",
  });
}

type Expected = RegExp | ((error: unknown) => unknown) | object;
type ExpectedOrMessage = Expected | string;

/** Whether what was thrown is what must be. */
function judge(error: unknown, expected: Expected | undefined, message: Message, operator: string): void {
  if (expected === undefined) return;
  const o = { actual: error, expected, operator };
  if (expected instanceof RegExp) {
    if (expected.test(String(error))) return;
    refuse(message, unmatched(expected, String(error)), o);
  }
  if (typeof expected === "function") {
    if (expected.prototype !== undefined && error instanceof expected) return;
    if (expected === Error || Object.prototype.isPrototypeOf.call(Error, expected)) {
      const found = error instanceof Error ? error.name : shown(error);
      const told = error instanceof Error ? `\n\nError message:\n\n${error.message}` : "";
      refuse(
        message,
        `The error is expected to be an instance of "${expected.name}". Received "${found}"${told}`,
        o,
      );
    }
    const answer = (expected as (error: unknown) => unknown).call({}, error);
    if (answer === true) return;
    const name = expected.name === "" ? "" : `"${expected.name}" `;
    refuse(
      message,
      `The ${name}validation function is expected to return "true". Received ${shown(answer)}`,
      o,
    );
  }
  const wanted = expected as Record<string, unknown>;
  const has = error as Record<string, unknown>;
  const keys = [...Object.keys(wanted), ...(expected instanceof Error ? ["name", "message"] : [])];
  const found = Object.fromEntries(keys.map((key) => [key, has?.[key]]));
  const isRight = keys.every((key) => {
    const [value, one] = [found[key], wanted[key]];
    return one instanceof RegExp && typeof value === "string"
      ? one.test(value)
      : isDeepEqual(value, one, true);
  });
  if (isRight) return;
  const all = Object.fromEntries(keys.map((key) => [key, wanted[key]]));
  refuse(message, `Expected values to be strictly deep-equal:${difference(found, all)}`, o);
}

function sorted(expected: ExpectedOrMessage | undefined, message: Message): [Expected | undefined, Message] {
  return typeof expected === "string" ? [undefined, expected] : [expected, message];
}

function missing(what: string, expected: Expected | undefined, message: Message, operator: string): never {
  if (message instanceof Error) throw message;
  const name = typeof expected === "function" && expected.name !== "" ? ` (${expected.name})` : "";
  const end = message === undefined ? "." : `: ${message}`;
  return refuse(undefined, `Missing expected ${what}${name}${end}`, { expected, operator });
}

export function throws(run: () => unknown, given?: ExpectedOrMessage, message?: Message): void {
  const [expected, told] = sorted(given, message);
  try {
    run();
  } catch (error) {
    return judge(error, expected, told, "throws");
  }
  missing("exception", expected, told, "throws");
}

export async function rejects(
  promise: PromiseLike<unknown> | (() => PromiseLike<unknown>),
  given?: ExpectedOrMessage,
  message?: Message,
): Promise<void> {
  const [expected, told] = sorted(given, message);
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    return judge(error, expected, told, "rejects");
  }
  missing("rejection", expected, told, "rejects");
}

function unwanted(what: string, error: unknown, message: Message, operator: string): never {
  const own = typeof message === "string" ? `: ${message}` : ".";
  const text = error instanceof Error ? error.message : String(error);
  return refuse(undefined, `Got unwanted ${what}${own}\nActual message: "${text}"`, {
    actual: error,
    operator,
  });
}

export function doesNotThrow(run: () => unknown, given?: ExpectedOrMessage, message?: Message): void {
  try {
    run();
  } catch (error) {
    unwanted("exception", error, sorted(given, message)[1], "doesNotThrow");
  }
}

export async function doesNotReject(
  promise: PromiseLike<unknown> | (() => PromiseLike<unknown>),
  given?: ExpectedOrMessage,
  message?: Message,
): Promise<void> {
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    unwanted("rejection", error, sorted(given, message)[1], "doesNotReject");
  }
}

export const CallTracker = refused("track calls: that needs Node.js. Count them in the function itself.");

const common = {
  ...{ AssertionError, CallTracker, fail, ok, match, doesNotMatch, ifError },
  ...{ strictEqual, notStrictEqual, deepStrictEqual, notDeepStrictEqual },
  ...{ throws, rejects, doesNotThrow, doesNotReject },
};

/** Strict variant, with `strictEqual` as `equal`, and so on. */
export const strict = Object.assign(
  (...given: [value?: unknown, message?: Message]) => ok(...given),
  common,
  {
    equal: strictEqual,
    notEqual: notStrictEqual,
    deepEqual: deepStrictEqual,
    notDeepEqual: notDeepStrictEqual,
  },
);
Object.assign(strict, { strict });

const assert = Object.assign((...given: [value?: unknown, message?: Message]) => ok(...given), common, {
  ...{ equal, notEqual, deepEqual, notDeepEqual, strict },
});
export default assert;
