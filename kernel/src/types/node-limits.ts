import { host } from "./host.js";
import { webAssembly } from "./web-assembly.js";

/** Declarations of newer language features that this Node may lack, each with a name that reveals it. */
const newer: readonly [library: string, shownBy: string][] = [
  ["es2024.arraybuffer", "ArrayBuffer.prototype.transfer"],
  ["es2024.collection", "Map.groupBy"],
  ["es2024.object", "Object.groupBy"],
  ["es2024.promise", "Promise.withResolvers"],
  ["esnext.array", "Array.fromAsync"],
  ["esnext.collection", "Set.prototype.union"],
  ["esnext.disposable", "DisposableStack"],
  ["esnext.error", "Error.isError"],
  ["esnext.float16", "Float16Array"],
  ["esnext.iterator", "Iterator.prototype"],
  ["esnext.promise", "Promise.try"],
  ["esnext.sharedmemory", "Atomics.pause"],
];

// What every Node that the kernel starts on has.
const older = [
  "es2023",
  "es2024.regexp",
  "es2024.sharedmemory",
  "es2024.string",
  "esnext.decorators",
  "esnext.intl",
];

/** The declarations of what this Node has: a cell that uses more would fail when it runs. */
export function libraries(): string[] {
  const there = newer.filter(([, name]) => exists(name)).map(([library]) => library);
  return [...older, ...there].map((one) => `lib.${one}.d.ts`);
}

// Inside of a startup snapshot, while it is made, there is no Atomics.
function exists(name: string): boolean {
  let owner: unknown = globalThis;
  for (const part of name.split(".")) {
    if ((typeof owner !== "object" && typeof owner !== "function") || owner === null || !(part in owner))
      return false;
    owner = (owner as Record<string, unknown>)[part];
  }
  return true;
}

const proposal =
  / Do you need to change your target library\? Try changing the 'lib' compiler option to (?:'es\w+' or later|include 'dom')\.$/m;

/** Errors for which TypeScript has no such proposal. */
const unproposed = [
  ...["Promise.try", "Error.isError", "RegExp.escape", "Atomics.pause", "Math.sumPrecise"],
  ...["Uint8Array.fromBase64", "Uint8Array.prototype.toBase64", "Uint8Array.prototype.toHex"],
  ...["Float16Array", "DisposableStack", "AsyncDisposableStack", "SuppressedError", "Iterator"],
  ...["WebSocket", "EventSource", "navigator", "localStorage"],
];

const unknownProperty = /^Property '(\w+)' does not exist on type '(\w+?)(Constructor)?(?:<.*>)?'\./;
const unknownName = /^(?:Cannot find name )?'(\w+)'(?:\.| only refers to a type)/;

/** Property that a message reports as missing, as it would be written. */
function missedIn(message: string): string[] {
  const [, property, type, isStatic] = unknownProperty.exec(message) ?? [];
  if (property !== undefined)
    return [`${type}.${property}`, ...(isStatic ? [] : [`${type}.prototype.${property}`])];
  return unknownName.exec(message)?.slice(1, 2) ?? [];
}

/**
 * The message with a word about this Node instead of TypeScript's proposal of newer declarations, in a notebook that has all
 * that its Node supports.
 */
export function withNodeLimit(message: string): string {
  const limit = ` ${host().runtime()} does not have it.`;
  const isLimit = missedIn(message).some((name) => unproposed.includes(name) && !exists(name));
  return isLimit ? message + limit : message.replace(proposal, limit);
}

const platform = (name: string): string =>
  `declare var ${name}: typeof globalThis extends { onmessage: any; ${name}: infer T } ? T : any;`;

/** Declarations of what newer versions of Node have and the declarations of TypeScript and of Node 20 lack, each with its name. */
const undeclared: readonly [shownBy: string, declaration: string][] = [
  ["RegExp.escape", "interface RegExpConstructor { escape(string: string): string }"],
  ["Math.sumPrecise", "interface Math { sumPrecise(numbers: Iterable<number>): number }"],
  [
    "Uint8Array.fromBase64",
    `interface Uint8ArrayConstructor {
  fromBase64(string: string, options?: { alphabet?: "base64" | "base64url"; lastChunkHandling?: "loose" | "strict" | "stop-before-partial" }): Uint8Array<ArrayBuffer>;
  fromHex(string: string): Uint8Array<ArrayBuffer>;
}
interface Uint8Array<TArrayBuffer> {
  toBase64(options?: { alphabet?: "base64" | "base64url"; omitPadding?: boolean }): string;
  toHex(): string;
}`,
  ],
  ...["navigator", "WebSocket", "EventSource", "localStorage", "sessionStorage"].map(
    (name) => [name, platform(name)] as const satisfies [string, string],
  ),
];

export function unknownToTypes(): string[] {
  // Every engine has WebAssembly, but not while a startup snapshot is made.
  return [webAssembly, ...undeclared.filter(([name]) => exists(name)).map(([, declaration]) => declaration)];
}
