import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../support/paths.js";

interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

interface Operators {
  mutantsOf(file: string, text: string): readonly Mutant[];
  asEdit(text: string, mutant: Mutant): { readonly search: string; readonly replace: string };
}

interface Scratch {
  mutate(edit: {
    file: string;
    search: string;
    replace: string;
  }): { target: string; after: string; at: number } | undefined;
}

const load = async (name: string): Promise<unknown> =>
  import(pathToFileURL(join(root, "test/mutants", name)).href);

const source = `import { a } from "./a-b";
/** x < y */
export function clamp(x: -1 | 1, top = 2): number {
  note("x < y");
  if (x > top) return top;
  if (x > top) throw new RangeError("got " + (x - 1));
  return x;
}
`;

describe("mutants", () => {
  it("changes what runs, and leaves messages, types and imports alone", async () => {
    const { mutantsOf } = (await load("operators.mjs")) as Operators;
    const found = mutantsOf("clamp.ts", source).map(
      ({ start, end, to }) => `${source.slice(start, end)} -> ${to}`,
    );
    const condition = ["x > top -> true", "x > top -> false", "> -> >=", "> -> <="];
    assert.deepEqual(
      found.sort(),
      [
        "2 -> 3",
        'note("x < y"); -> ;',
        "{ -> { return undefined as never;",
        ...condition,
        ...condition,
      ].sort(),
    );
  });

  it("tells each by lines that occur once, so that it is found again when other lines have changed", async () => {
    const { mutantsOf, asEdit } = (await load("operators.mjs")) as Operators;
    for (const mutant of mutantsOf("clamp.ts", source)) {
      const { search, replace } = asEdit(source, mutant);
      assert.equal(source.split(search).length, 2, search);
      const changed = source.slice(0, mutant.start) + mutant.to + source.slice(mutant.end);
      assert.equal(source.split(search).join(replace), changed);
    }
  });

  it("compiles a mutant, knows where it begins, and says which no longer apply", async () => {
    const { mutate } = (await load("scratch.mjs")) as Scratch;
    const file = "lib/turnwise/src/rollout/greedy.ts";
    const edit = mutate({ file, search: "logProb[i]! > ", replace: "logProb[i]! >= " });
    assert.equal(edit?.target, "lib/turnwise/dist/rollout/greedy.js");
    assert.match(edit.after.slice(edit.at - 12, edit.at + 2), /\[i\] >=/);
    assert.equal(mutate({ file, search: "no such text", replace: "" }), undefined);
    assert.equal(mutate({ file, search: "// nothing", replace: "" }), undefined);
  });
});
