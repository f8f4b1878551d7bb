import { recipe, recipeNames } from "turnwise";
import { goalOf, learns } from "./linear.js";

/** The first rule with each gate: the way from a loss to the policy's own gradient differs by nothing else. */
const gates = recipeNames.map((name) => recipe(name).gate.kind);
const some = recipeNames.filter((_, i) => gates.indexOf(gates[i]!) === i);

describe("a policy by its forward pass alone, on the way", function () {
  this.timeout(60_000);

  for (const name of some) {
    it(`reaches ${goalOf(name)} in LookUp-v0, whose optimum is 1, with ${name} from one of three seeds`, () =>
      learns(name, 15));
  }
});
