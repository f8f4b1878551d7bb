import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { commandLine, installationOf, repair } from "turnwise-kernel/dist/cli/installation.js";
import { pathsOfSuite } from "../support/command.js";
import { root } from "../support/paths.js";

describe("the way the kernel was installed", () => {
  const at = pathsOfSuite();

  it("is told from the folder of its package", () => {
    fs.mkdirSync(at("project"), { recursive: true });
    fs.writeFileSync(path.join(at("project"), "package.json"), "{}");
    const kernel = path.join("node_modules", "turnwise-kernel");
    const told = {
      [path.join(root, "kernel")]: "checkout",
      [path.join(at("project"), kernel)]: "project",
      [path.join(at("prefix"), "lib", kernel)]: "global",
      [path.join(at("venv"), "lib", "python3.12", "site-packages", "turnwise_kernel", kernel)]: "pip",
      "/home/ada/.npm/_npx/0a1b2c/node_modules/turnwise-kernel": "temporary",
      "C:\\Users\\Ada\\AppData\\Local\\npm-cache\\_npx\\0a1b\\node_modules\\turnwise-kernel": "temporary",
      "/home/ada/.cache/pnpm/dlx/4f/19/node_modules/turnwise-kernel": "temporary",
      "/tmp/xfs-1a2b/dlx-4711/node_modules/turnwise-kernel": "temporary",
      "/tmp/bunx-1000-turnwise-kernel@latest/node_modules/turnwise-kernel": "temporary",
    };
    for (const [folder, expected] of Object.entries(told))
      assert.equal(installationOf(folder), expected, folder);
  });

  it("decides which commands messages name", () => {
    assert.equal(commandLine("install --force", "project"), "npx turnwise install --force");
    assert.equal(commandLine("install --force", "global"), "turnwise install --force");
    assert.equal(repair("global"), "npm install -g turnwise-kernel");
    assert.equal(repair("pip"), "pip install --force-reinstall turnwise-kernel");
    for (const one of ["project", "global", "pip"] as const)
      assert.doesNotMatch(repair(one) + commandLine("lab", one), /npm (start|test|run|ci)/);
  });
});
