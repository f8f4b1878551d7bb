import assert from "node:assert/strict";
import {
  betaCdf,
  betaQuantile,
  normalCdf,
  normalQuantile,
  studentQuantile,
} from "turnwise/internal/base/distribution";

const near = (x: number, y: number, off = 1e-6): void => assert.ok(Math.abs(x - y) <= off, `${x}, not ${y}`);

describe("distributions", () => {
  it("have the quantiles of Student's t that tables print", () => {
    near(studentQuantile(0.95, 1), 12.706205, 1e-5);
    near(studentQuantile(0.95, 9), 2.262157);
    near(studentQuantile(0.99, 19), 2.860935);
    near(studentQuantile(0.95, 1e6), 1.959966);
  });

  it("have a normal distribution to ten digits, far out too", () => {
    near(normalCdf(0), 0.5, 1e-15);
    near(normalCdf(1.959963984540054), 0.975, 1e-12);
    near(normalQuantile(0.95), 1.959963984540054, 1e-11);
    near(normalCdf(-1), 0.15865525393145707, 1e-14);
    // P(Z <= -6) = 9.8659e-10
    near(normalCdf(-6) / 9.865876450376981e-10, 1, 1e-9);
    near(normalCdf(-2.44) + normalCdf(2.44), 1, 1e-15);
  });

  it("have a beta distribution that is a polynomial where a and b are whole", () => {
    // I_x(2, 3) = 6x^2 - 8x^3 + 3x^4
    for (const x of [0.1, 0.5, 0.9]) near(betaCdf(x, 2, 3), 6 * x ** 2 - 8 * x ** 3 + 3 * x ** 4, 1e-13);
    near(betaCdf(betaQuantile(0.3, 4.5, 0.5), 4.5, 0.5), 0.3, 1e-12);
    assert.deepEqual([betaCdf(0, 2, 3), betaCdf(1, 2, 3)], [0, 1]);
  });
});
