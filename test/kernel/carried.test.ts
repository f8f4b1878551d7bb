import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathsOfSuite, runNode } from "../support/command.js";
import { root } from "../support/paths.js";

const carried = path.join(root, "kernel", "dist", "node_modules");

/** The same packages in another folder, as npm would install them. */
const inside = (folder: string, name: string): string =>
  path.join(root, ...folder.split("/"), "dist", "node_modules", ...name.split("/"));

describe("the TensorFlow.js that the library carries", () => {
  const at = pathsOfSuite();
  const core = "@tensorflow/tfjs-core";
  const { version } = JSON.parse(
    fs.readFileSync(path.join(inside("lib/turnwise", core), "package.json"), "utf8"),
  ) as { version: string };
  const ran = (code: string): ReturnType<typeof runNode> =>
    runNode(["-e", code, path.join(at("node_modules"), "turnwise", "dist", "node_modules", "@tensorflow")]);

  /** Installs a package of that name that says so. */
  function install(installed: string): void {
    const folder = path.join(at("node_modules"), core);
    fs.mkdirSync(folder, { recursive: true });
    const manifest = { name: core, version: installed, main: "main.js" };
    fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
    fs.writeFileSync(path.join(folder, "main.js"), `exports.version_core = "yours, ${installed}";\n`);
  }

  before(() => {
    for (const name of [core, "@tensorflow/tfjs-backend-cpu"]) {
      const copy = path.join(at("node_modules"), "turnwise", "dist", "node_modules", name);
      fs.cpSync(inside("lib/turnwise", name), copy, { recursive: true });
    }
  });

  it("computes, with the names of its classes, where no other is installed", async () => {
    const { stdout, stderr } = await ran(
      `const tf = require(process.argv[1] + "/tfjs-core"); require(process.argv[1] + "/tfjs-backend-cpu");
       tf.env().set("PROD", true);
       const t = tf.matMul([[1, 2]], [[3], [4]]);
       console.log(t.dataSync()[0], t.constructor.name, tf.train.adam(1).constructor.name, tf.version_core);`,
    );
    assert.equal(stdout, `11 Tensor AdamOptimizer ${version}\n`, stderr);
  });

  const told = `console.log(require(process.argv[1] + "/tfjs-core").version_core)`;

  it("gives way to an installed one of the same version, and to no other", async () => {
    install("3.0.0");
    assert.equal((await ran(told)).stdout, `${version}\n`);
    install(version);
    assert.equal((await ran(told)).stdout, `yours, ${version}\n`);
  });

  it("has its types, which need no other package", () => {
    const folder = path.join(inside("lib/turnwise", core), "dist");
    const declarations = fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".d.ts"));
    assert.ok(declarations.length > 100, String(declarations.length));
    for (const name of declarations) {
      const text = fs.readFileSync(path.join(folder, name), "utf8");
      assert.doesNotMatch(text, /<reference types=|^(?:import|export)\b.* from ["'](?!\.)/m, name);
      for (const [, to] of text.matchAll(/<reference path="([^"]+)"/g)) {
        assert.ok(fs.existsSync(path.join(folder, path.dirname(name), to!)), `${name}: ${to}`);
      }
    }
  });
});

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
