import { recipeNames } from "turnwise";
import { goalOf, learns } from "./linear.js";

describe("a policy by its forward pass alone, on the way", function () {
  this.timeout(60_000);

  for (const name of recipeNames) {
    it(`reaches ${goalOf(name)} in LookUp-v0, whose optimum is 1, with ${name} from one of three seeds`, () =>
      learns(name, 15));
  }
});
