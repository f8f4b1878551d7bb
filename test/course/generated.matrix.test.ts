import { artefactsOf, itIsCurrent } from "./generated.js";

describe("generated files that take minutes", function () {
  this.timeout(300_000);
  artefactsOf("matrix").forEach(itIsCurrent);
});
