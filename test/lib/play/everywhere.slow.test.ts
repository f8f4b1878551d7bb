// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import { playground, recipeNames } from "turnwise";
import { libraryWorlds } from "turnwise/internal/env/worlds";
import { filmLength } from "turnwise/internal/play/filmPictures";

const display = Symbol.for("Jupyter.display");
const textOf = (x: object): string =>
  (x as Record<symbol, () => Record<string, string>>)[display]!()["text/plain"]!;

const few = { groups: 4, groupSize: 4 };

describe("the playground everywhere", function () {
  this.timeout(120_000);

  /** Trains up to the first update whose return is exact, and films the next one. */
  async function play(start: object): Promise<void> {
    const p = playground({ start: { ...few, ...start }, updates: 6 });
    await p.run(5);
    assert.equal(p.records.length, 5);
    for (let picture = 1; picture <= filmLength; picture++) {
      await p.step();
      assert.match(textOf(p), new RegExp(`Update 6, picture ${String(picture)} of 5`));
      assert.doesNotMatch(textOf(p), /^!/m);
    }
    if (p.film!.kept) assert.ok(p.film!.decision, "the choice that is pushed hardest");
  }

  for (const { id } of libraryWorlds) it(`trains and films in ${id}`, () => play({ env: id }));

  for (const name of recipeNames) it(`trains and films with ${name}`, () => play({ recipe: name }));
});
