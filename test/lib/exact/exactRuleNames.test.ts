import assert from "node:assert/strict";
import { exactRule } from "turnwise/exact";

describe("exactRule()", () => {
  it("refuses a field and a value that it does not know, with the nearest one", () => {
    assert.throws(() => exactRule({ baselin: "mean" } as never), {
      name: "RangeError",
      message: /^Cannot make an exact rule: unknown option "baselin"\.\nDid you mean "baseline"\?$/,
    });
    assert.throws(() => exactRule({ baseline: "value" as "mean" }), {
      name: "RangeError",
      message: /baseline must be one of mean, leaveOneOut, critic, none, got "value"/,
    });
    for (const wrong of [{ order: "revers" }, { scale: "std" }, { carry: "clip" }])
      assert.throws(() => exactRule(wrong as never), RangeError);
  });
});
