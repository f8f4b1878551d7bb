import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { scriptsOf } from "turnwise-site/builder/scripts.cjs";
import { serveSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";

const load = createRequire(path.join(root, "package.json"));
const { asked, bundlePackages } = load("./site/builder/packages.cjs") as {
  asked(args: readonly string[]): string[];
  bundlePackages(root: string, folder: string, names: readonly string[]): Promise<void>;
};

describe("packages that are built into a site", function () {
  this.timeout(patient(60_000));
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-packages-"));
    const files = {
      "old/package.json": '{ "name": "old", "version": "1.2.3" }',
      "old/index.js": "exports.twice = (x) => 2 * x;",
      "needs-net/package.json": '{ "name": "needs-net", "version": "1.0.0" }',
      "needs-net/index.js": 'require("net");',
      "@some/new/package.json":
        '{ "name": "@some/new", "version": "2.0.0", "type": "module", "main": "x.js" }',
      "@some/new/x.js": "export const thrice = (x) => 3 * x; export default 7;",
    };
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, "node_modules", name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it("are modules of either kind, each in one file, listed with their versions", async () => {
    const out = path.join(folder, "packages");
    await bundlePackages(folder, out, ["old", "@some/new"]);
    const list = JSON.parse(fs.readFileSync(path.join(out, "packages.json"), "utf8")) as { file: string }[];
    assert.deepEqual(list, [
      { name: "old", version: "1.2.3", file: "old.js" },
      { name: "@some/new", version: "2.0.0", file: "_some_new.js" },
    ]);
    const [old, fresh] = await Promise.all(
      list.map(async ({ file }) => {
        const copy = path.join(out, file.replace(/js$/, "mjs"));
        fs.copyFileSync(path.join(out, file), copy);
        return (
          (await import(pathToFileURL(copy).href)) as { default: Record<string, (x: number) => number> }
        ).default;
      }),
    );
    assert.equal(old!.twice!(4), 8);
    assert.equal(fresh!.thrice!(4), 12);
    assert.equal(fresh!.default as unknown, 7);
  });

  it("must be installed, and run in a browser", async () => {
    const out = path.join(folder, "refused");
    await assert.rejects(bundlePackages(folder, out, ["absent"]), {
      message:
        "Cannot build absent into the site: it must be installed, but it is not in node_modules. " +
        "Install it first: npm install --no-save --ignore-scripts absent.",
    });
    await assert.rejects(
      bundlePackages(folder, out, ["needs-net"]),
      /Cannot build needs-net into the site: it must run in a browser: Could not resolve "net"/,
    );
  });

  it("are named behind --with", () => {
    assert.deepEqual(asked(["--with", "a,@b/c", "--serve", "--with", "d/e.js"]), ["a", "@b/c", "d/e.js"]);
    for (const args of [["--with"], ["--with", "--serve"], ["--with", "../x"]])
      assert.throws(() => asked(args), /the name of a package must follow --with/, args.join(" "));
  });

  it("have their types in the built site", async function () {
    await (await serveSite(this)).close();
    const built = path.join(root, "build", "site");
    const extension = path.join(built, scriptsOf(built));
    const { files } = JSON.parse(fs.readFileSync(path.join(extension, "declarations.json"), "utf8")) as {
      files: Record<string, string>;
    };
    const found = Object.keys(files).filter((name) => /@types\/d3-(array|dsv)\/.*\.d\.ts$/.test(name));
    assert.ok(found.length >= 2, found.join(", "));
  });
});
