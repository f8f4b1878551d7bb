import assert from "node:assert/strict";
import { command as ofKernel } from "turnwise-kernel/dist/cli/command.js";
// Uses internals of turnwise/command.
import { command as ofLibrary } from "turnwise/internal/command/options";

const options = {
  quiet: { type: "boolean", short: "q", help: "print nothing" },
  out: { type: "string", value: "<file>", default: "out.txt", help: "the file to write" },
  port: { type: "string", value: "<number>", former: "at", help: "the port" },
  seed: { type: "string", value: "<n>", multiple: true, help: "a seed" },
} as const;

const declared = { about: "Does something.", options };

/** What was printed by a function, and what it returned or the complaint that it threw. */
async function observed(run: () => Promise<number>): Promise<object> {
  const printed: string[] = [];
  const writes = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of writes)
    stream.write = (text: string | Uint8Array): boolean => {
      printed.push(String(text));
      return true;
    };
  try {
    return { code: await run(), printed };
  } catch (error) {
    const { message, advice } = error as { message: string; advice?: string };
    return { message, advice, printed };
  } finally {
    for (const { stream, write } of writes) stream.write = write;
  }
}

/** The outcome of the same arguments in both parsers. */
async function both(args: readonly string[], positionals?: string): Promise<readonly [object, object]> {
  const got: object[] = [];
  const parts = {
    ...declared,
    ...(positionals !== undefined && { positionals }),
    run: (given: object): Promise<number> => {
      // Node gives parsed values no prototype; they are compared as plain data.
      got.push(JSON.parse(JSON.stringify(given)) as object);
      return Promise.resolve(3);
    },
  };
  const root = process.cwd();
  const kernel = await observed(() => ofKernel(parts).run("try", [...args], { root, program: "turnwise" }));
  const library = await observed(async () =>
    ofLibrary(parts)([...args], { command: "try", program: "turnwise", root, argv: [] }),
  );
  const [ofTheKernel, ofTheLibrary] = got;
  return [
    { ...kernel, given: ofTheKernel },
    { ...library, given: ofTheLibrary },
  ];
}

describe("the parsers of the kernel's and the library's commands", () => {
  const cases: readonly (readonly [what: string, args: readonly string[], positionals?: string])[] = [
    ["no arguments", []],
    ["every kind of option", ["-q", "--out", "a", "--seed=1", "--seed", "2", "--port", "80"]],
    ["a former name", ["--at", "80"]],
    ["a former name with its value", ["--at=80"]],
    ["a former name after --", ["--", "--at"], "[words...]"],
    ["other arguments", ["a", "b"], "[words...]"],
    ["other arguments that there may not be", ["a"]],
    ["a misspelled option", ["--quiett"]],
    ["an unknown option", ["--zzzzzzzzzzzzz"]],
    ["an option without its value", ["--out"]],
    ["a flag with a value", ["--quiet=yes"]],
    ["--help", ["--help"], "[words...]"],
  ];
  for (const [what, args, positionals] of cases) {
    it(`agree on ${what}`, async () => {
      const [kernel, library] = await both(args, positionals);
      assert.deepEqual(library, kernel);
    });
  }

  it("read values, complain and help, so that the agreement is not about nothing", async () => {
    const [given] = await both(["-q", "--seed=1", "--at=80"]);
    assert.deepEqual(given, {
      code: 3,
      printed: ["Note: --at is now --port; the former name goes with the next minor version.\n"],
      given: {
        values: { quiet: true, out: "out.txt", seed: ["1"], port: "80" },
        positionals: [],
      },
    });
    const [wrong] = await both(["--quiett"]);
    assert.deepEqual(wrong, {
      message: "Cannot run turnwise try: unknown option '--quiett'.",
      advice: "Did you mean: --quiet",
      printed: [],
      given: undefined,
    });
  });
});
