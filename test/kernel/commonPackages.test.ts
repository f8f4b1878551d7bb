import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { patient } from "../support/patient.js";
import { compareImports } from "./commonPackages.js";
import { repository, sharedKernel, temporaryFolder } from "./with-kernel.js";

/** Of the packages that are here anyway: CommonJS, ES modules, and both. */
const packages = ["semver", "chalk", "tslib", "rxjs", "zod", "yaml", "ws", "acorn"];

describe("packages of npm, imported by cells", function () {
  this.timeout(patient(60_000));
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder(), env: { ...process.env, TURNWISE_TYPES: "off" } }));
  before(() => symlinkSync(join(repository, "node_modules"), join(folder(), "node_modules")));

  it(`give what they give in Node, as a default, as a namespace and by name: ${packages.join(", ")}`, async () => {
    const found = await compareImports(kernel(), folder(), packages);
    assert.deepEqual(found, { compared: packages.length, differences: [], notInNode: [] });
  });
});
