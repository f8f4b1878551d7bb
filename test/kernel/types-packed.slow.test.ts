import { passesPacked } from "./packedRun.js";

describe("types from the packed declarations of a browser", function () {
  this.timeout(200_000);

  it("are inspected as those on the disk are", () => passesPacked(["inspect"], 4));
});
