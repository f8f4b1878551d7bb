import { agreeOnRandom, describeEveryValue } from "./plainAgreement";

describe("train(), record by record against the plain trainer, on many rows", () => {
  describeEveryValue(12, 2);

  it("agrees on 200 random rows", () => agreeOnRandom(200)).timeout(120_000);
});
