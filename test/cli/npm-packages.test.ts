import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { missingPackage } from "turnwise-kernel/bootstrap/install.cjs";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";

function write(folder: string, name: string, content: unknown): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

/** A project with one package locked at 1.2.3 and one optional package. */
function project(): string {
  const folder = temporaryFolder("turn wise");
  write(folder, "package.json", { name: "p", version: "1.0.0" });
  write(folder, "package-lock.json", {
    packages: {
      "": {},
      "node_modules/a": { version: "1.2.3" },
      "node_modules/b": { version: "1.0.0", optional: true },
    },
  });
  return folder;
}

function installed(folder: string, version: string): void {
  write(folder, "node_modules/a/package.json", { version });
  write(folder, "node_modules/.package-lock.json", { packages: { "node_modules/a": { version } } });
}

/** Runs the installation in a copy's place with an npm that prints the given text and fails. */
function installWith(folder: string, said: string): ReturnType<typeof runNode> {
  const npm = path.join(folder, "fake", "npm-cli.js");
  write(folder, "fake/npm-cli.js", `console.error(${JSON.stringify(said)}); process.exitCode = 1;`);
  const bootstrap = path.join(root, "kernel", "bootstrap");
  const script = `require(${JSON.stringify(path.join(bootstrap, "install.cjs"))}).installPackages(${JSON.stringify(folder)})
    .catch((error) => { require(${JSON.stringify(path.join(bootstrap, "steps.cjs"))}).report(error); process.exitCode = 1; });`;
  return runNode(["-e", script], { env: { npm_execpath: npm } });
}

describe("the locked npm packages", () => {
  after(removeTemporaryFolders);

  it("are installed when there are none, when a version differs and when an installation was cut short", () => {
    const folder = project();
    assert.equal(missingPackage(folder), "node_modules");
    installed(folder, "1.2.2");
    assert.equal(missingPackage(folder), "node_modules/a");
    installed(folder, "1.2.3");
    assert.equal(missingPackage(folder), "", "an optional package may be absent");
    fs.rmSync(path.join(folder, "node_modules", "a"), { recursive: true });
    assert.equal(missingPackage(folder), "node_modules/a");
    installed(folder, "1.2.3");
    fs.rmSync(path.join(folder, "node_modules", ".package-lock.json"));
    assert.equal(missingPackage(folder), "node_modules");
  });

  const cases = [
    [
      "no network",
      "npm error code ENOTFOUND\nnpm error request failed",
      /registry must be reachable: npm error code ENOTFOUND\nTo fix it, connect/,
    ],
    [
      "a read-only folder",
      "npm error code EACCES",
      /must be writable: npm error code EACCES\nTo fix it, copy the folder/,
    ],
    ["a full disk", "npm error code ENOSPC", /disk must have about 400 MB free: .*ENOSPC\nTo fix it, free/],
    [
      "a lockfile that lags behind",
      "npm error code EUSAGE",
      /must match package\.json\.\nTo fix it, run: npm install/,
    ],
    [
      "anything else",
      "npm error code EWEIRD",
      /npm ci failed\.\nnpm error code EWEIRD\nTo fix it, run: npm ci/,
    ],
  ] as const;
  for (const [what, said, expected] of cases) {
    it(`end in a sentence and the way out with ${what}`, async () => {
      const { code, stderr, stdout } = await installWith(project(), said);
      assert.equal(code, 1);
      assert.match(stderr, expected);
      assert.match(stdout, /^Installing npm packages \.\.\. failed after /);
    });
  }
});
