import { recipeNames } from "turnwise";
import { goalOf, learns } from "./linear.js";

describe("a policy by its forward pass alone, at the end", function () {
  this.timeout(60_000);

  for (const name of recipeNames) {
    it(`can be trained with ${name} up to ${goalOf(name)} in LookUp-v0, whose optimum is 1, from one of three seeds`, () =>
      learns(name));
  }
});
