import assert from "node:assert/strict";
import { recipes, type Recipe } from "turnwise";
import { expectCheckpoint } from "turnwise/internal/train/checkpoint";
import { resumedRecipe } from "turnwise/internal/train/resumedRecipe";

describe("expectCheckpoint()", () => {
  it("lets a checkpoint of this version through as it is", () => {
    const checkpoint = { format: "turnwise-checkpoint", version: 1, update: 7 };
    assert.equal(expectCheckpoint(checkpoint), checkpoint);
  });

  it("refuses other formats, other versions and what is no object, and says what it got", () => {
    const refused: [value: unknown, got: string][] = [
      [{ format: "other", version: 1 }, 'format "other", version 1'],
      [{ format: "turnwise-checkpoint", version: 2 }, 'format "turnwise-checkpoint", version 2'],
      [null, "format undefined, version undefined"],
      [undefined, "format undefined, version undefined"],
    ];
    for (const [value, got] of refused) {
      assert.throws(() => expectCheckpoint(value), {
        name: "TypeError",
        message: `Cannot resume: the checkpoint must be a turnwise-checkpoint of version 1, got ${got}.`,
      });
    }
  });

  it("goes on with a row under the name that it has now", () => {
    const old = { ...recipes.soPpo, name: "stPpo" } as unknown as Recipe;
    assert.deepEqual(resumedRecipe(old, undefined), recipes.soPpo);
    assert.deepEqual(resumedRecipe(old, "stPpo"), recipes.soPpo);
    assert.deepEqual(resumedRecipe(old, "soPpo"), recipes.soPpo);
    assert.throws(() => resumedRecipe(old, "sPpo"), {
      name: "RangeError",
      message: /^Cannot resume: recipe must be the checkpoint's rule, where /,
    });
  });
});
