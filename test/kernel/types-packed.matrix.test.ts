import { passesPacked } from "./packedRun.js";

/** What asks types, but for packages that are installed beside a notebook: none are in a browser. */
const files = ["augmentations", "engines", "hints", "inspect", "requests"];

describe("types from the packed declarations of a browser", function () {
  this.timeout(400_000);

  it("answer whatever the tests of the type service ask, as those on the disk do", () =>
    passesPacked(files, 57));
});
