import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathsOfSuite, runNode } from "../support/command.js";
import { root } from "../support/paths.js";

const carried = path.join(root, "kernel", "dist", "node_modules");

describe("the packages that the kernel carries", () => {
  const at = pathsOfSuite();
  const load = (): ReturnType<typeof runNode> => {
    const main = path.join(at("node_modules"), "turnwise-kernel", "dist", "node_modules", "zeromq");
    const script = `try { console.log(require(process.argv[1]).Router) } catch (error) { console.log(error.message) }`;
    return runNode(["-e", script, main]);
  };

  it("have their licenses with them, those of all that is in the file", () => {
    const packages = fs.readdirSync(carried).filter((name) => !name.startsWith("."));
    assert.ok(packages.length >= 9, packages.join(", "));
    for (const name of packages) {
      const text = fs.readFileSync(path.join(carried, name, "LICENSES.txt"), "utf8");
      assert.ok(text.includes(`${name} `), name);
    }
    // Vega's expressions are read by a parser that is another package of its authors.
    assert.match(fs.readFileSync(path.join(carried, "vega", "LICENSES.txt"), "utf8"), /^vega-expression \d/m);
  });

  it("say what to install on a machine that ZeroMQ's add-ons are not for, and then use that", async () => {
    const copy = path.join(at("node_modules"), "turnwise-kernel", "dist", "node_modules", "zeromq");
    fs.cpSync(path.join(carried, "zeromq"), copy, {
      recursive: true,
      filter: (file) => !file.endsWith(".node"),
    });
    fs.writeFileSync(path.join(copy, "build", "manifest.json"), "{}");
    assert.match(
      (await load()).stdout,
      /^Cannot load ZeroMQ, by which kernels talk to Jupyter: its add-on must be one for \w+ \w+, but .*\nTo fix it: npm install zeromq@\d+\.\d+\.\d+ --foreground-scripts, next to turnwise-kernel; it compiles one\.\n$/,
    );
    const installed = path.join(at("node_modules"), "zeromq");
    fs.mkdirSync(installed);
    fs.writeFileSync(path.join(installed, "index.js"), 'exports.Router = "compiled here";\n');
    assert.equal((await load()).stdout, "compiled here\n");
  });
});
