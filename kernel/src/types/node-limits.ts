/** What newer declarations of the language promise: those that this Node may lack, each with a name that shows it. */
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
  / Do you need to change your target library\? Try changing the 'lib' compiler option to 'es\w+' or later\.$/m;

/** TypeScript's proposal of newer declarations, in a notebook that has all that its Node supports. */
export function withNodeLimit(message: string): string {
  return message.replace(
    proposal,
    ` Node ${process.version.slice(1)}, which runs the cells, does not have it.`,
  );
}
