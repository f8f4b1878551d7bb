import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";

interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly search: string;
  readonly replace: string;
}

describe("the stored mutants", () => {
  for (const name of ["sabotages", "sample", "soft"])
    // A change of the code may leave some behind, and the next run of the mutants says which; but the sample must not wither away.
    it(`of ${name}.json can be put in: at least nineteen of twenty find their place`, () => {
      const file = path.join(root, "test", "mutants", `${name}.json`);
      const mutants = JSON.parse(fs.readFileSync(file, "utf8")) as Mutant[];
      const stale = mutants.filter((mutant) => {
        const source = path.join(root, mutant.file);
        const places = fs.existsSync(source)
          ? fs.readFileSync(source, "utf8").split(mutant.search).length - 1
          : 0;
        return places !== 1 || mutant.search === mutant.replace;
      });
      assert.ok(
        stale.length <= mutants.length / 20,
        "give these the same mistake in the present code: " +
          stale.map(({ id, file: place }) => `${id} in ${place}`).join(", "),
      );
    });
});
