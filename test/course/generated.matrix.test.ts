import { artifactsOf, itIsCurrent } from "./generated.js";

describe("generated files that take minutes", function () {
  this.timeout(300_000);
  artifactsOf("matrix").forEach(itIsCurrent);
});
