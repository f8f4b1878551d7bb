import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { patient } from "../support/patient.js";
import { commonPackages, compareImports } from "./commonPackages.js";
import { sharedKernel, temporaryFolder } from "./with-kernel.js";

/**
 * Compiled from ES modules to CommonJS, with a default: a cell's `import x` is that default, as TypeScript's `esModuleInterop` and the
 * packages' types say, where Node gives all of `module.exports`.
 */
const known: readonly string[] = ["@babel/traverse", "@babel/code-frame", "async"].flatMap((name) => [
  `${name}, in the namespace default: `,
  `${name}, imported as default: `,
]);

describe("the most used packages of npm, imported by cells", function () {
  this.timeout(patient(900_000));
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder(), env: { ...process.env, TURNWISE_TYPES: "off" } }));
  before(() => {
    writeFileSync(join(folder(), "package.json"), '{ "private": true }\n');
    const npm = [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--legacy-peer-deps",
      ...commonPackages,
    ];
    execFileSync("npm", npm, { cwd: folder(), stdio: ["ignore", "ignore", "inherit"] });
  });

  it(`give what they give in Node, as a default, as a namespace and by name: ${commonPackages.length} packages`, async () => {
    const found = await compareImports(kernel(), folder(), commonPackages);
    const { compared, differences, notInNode } = found;
    assert.deepEqual(
      differences.filter((text) => !known.some((start) => text.startsWith(start))),
      [],
    );
    // A package may need another one beside it, or a newer Node.
    assert.ok(compared >= 200, `${compared} compared; not in Node: ${notInNode.join("; ")}`);
  });
});
