import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { jupyterLab } from "turnwise-kernel/bootstrap/python-packages.cjs";
import { root } from "../support/paths.js";

const read = (name: string): string => fs.readFileSync(path.join(root, name), "utf8");
const manifest = JSON.parse(read("package.json")) as { engines: { node: string }; scripts: object };

/** The instructions of a Dockerfile, with continued lines joined and comments left out. */
function instructions(text: string): [name: string, rest: string][] {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line)!;
      return [name!, rest!.replace(/\s+/g, " ")];
    });
}

/** The single commands of a shell line or script. */
const commands = (shell: string): string[] =>
  shell
    .split(/&&|\n/)
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("#") && !one.startsWith("set "));

describe("the images for Binder and JupyterHub", () => {
  const docker = instructions(read("Dockerfile"));
  const of = (name: string): string[] => docker.filter(([one]) => one === name).map(([, rest]) => rest);
  const postBuild = read(".binder/postBuild");
  const environment = read(".binder/environment.yml");

  it("install the JupyterLab that `npm start` installs, and no version is left open", () => {
    for (const requirement of jupyterLab) {
      assert.ok(environment.includes(`- ${requirement}\n`), requirement);
      assert.ok(
        of("RUN").some((line) => line.includes(requirement)),
        requirement,
      );
    }
    const pip = of("RUN")
      .flatMap(commands)
      .filter((line) => line.includes("pip install"));
    assert.equal(pip.length, 1);
    const asked = pip[0]!.slice(pip[0]!.indexOf("pip install")).split(" ").slice(2);
    for (const word of asked) assert.match(word, /^--no-cache-dir$|^[\w-]+==[\d.]+$|^\/wheel\/\*\.whl$/);
    assert.match(of("FROM")[0]!, /^node:\d+-bookworm-slim AS wheel$/);
    assert.match(of("FROM")[1]!, /^python:3\.\d+-slim-bookworm$/);
  });

  it("build the wheel with a Node.js that the kernel runs on, and install it", () => {
    const oldest = Number(/>=(\d+)/.exec(manifest.engines.node)![1]);
    assert.ok(Number(/^node:(\d+)/.exec(of("FROM")[0]!)![1]) >= oldest);
    assert.ok(Number(/nodejs=(\d+)/.exec(environment)![1]) >= oldest);
    assert.ok(of("RUN").includes("npm run wheel -- --out /wheel"));
    assert.ok(Object.hasOwn(manifest.scripts, "wheel"));
    // Binder's environment has a Node.js already, so that the one of the wheel's dependency is not installed.
    assert.ok(commands(postBuild).includes('pip install --no-cache-dir --no-deps "$wheel"/*.whl'));
  });

  it("keep to the rules of small, unprivileged images", () => {
    for (const apt of of("RUN").filter((line) => line.includes("apt-get")))
      assert.match(
        apt,
        /^apt-get update && apt-get install -y --no-install-recommends .* && rm -rf \/var\/lib\/apt\/lists\/\*$/,
      );
    assert.equal(of("USER").at(-1), "turnwise");
    const last = docker.findLastIndex(([name]) => name === "RUN");
    assert.ok(docker.findIndex(([name]) => name === "USER") > last, "root builds, the user runs");
    for (const form of [...of("CMD"), ...of("ENTRYPOINT")]) assert.ok(Array.isArray(JSON.parse(form)), form);
    for (const source of of("COPY").map((rest) => rest.split(" ").find((word) => !word.startsWith("--"))!)) {
      assert.ok(fs.existsSync(path.join(root, source)), source);
    }
    for (const folder of of("WORKDIR").filter((one) => one.startsWith("/opt/turnwise"))) {
      const inside = path.relative("/opt/turnwise", folder);
      assert.ok(fs.existsSync(path.join(root, inside)), folder);
    }
  });

  it("make docs/ reachable from the lessons, whose folder is the top one", () => {
    const link = "ln -s ../docs notebooks/docs";
    const inImage = docker.findIndex(([name, rest]) => name === "RUN" && commands(rest).includes(link));
    assert.ok(inImage > docker.findLastIndex(([name]) => name === "COPY"), "after the files are there");
    assert.ok(commands(postBuild).some((line) => line.endsWith(`|| ${link}`)));
    for (const folder of ["docs", "notebooks"]) assert.ok(fs.statSync(path.join(root, folder)).isDirectory());
  });

  it("leave out of the image what the ignored folders hold", () => {
    const left = read(".dockerignore").trim().split("\n");
    for (const name of ["**/node_modules", "**/dist", "build", ".venv", ".turnwise", ".git"]) {
      assert.ok(left.includes(name), name);
    }
  });

  it("have shell lines that the shell can read", () => {
    for (const shell of [postBuild, ...of("RUN")]) {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: shell, encoding: "utf8" });
      assert.equal(status, 0, stderr);
    }
  });

  describe("postBuild", function () {
    this.timeout(120_000);
    let folder: string;
    before(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-image-"));
    });
    after(() => fs.rmSync(folder, { recursive: true, force: true }));

    it("runs as it stands, and leaves the notebooks with their docs", () => {
      assert.ok(fs.statSync(path.join(root, ".binder/postBuild")).mode & 0o100, "not executable");
      // They would download everything again; what they are asked for is written down instead.
      const bin = path.join(folder, "bin");
      fs.mkdirSync(bin);
      for (const name of ["npm", "pip"]) {
        const script = `#!/bin/sh\nset -f\necho ${name} "$@" >> "${folder}/asked"\n`;
        fs.writeFileSync(path.join(bin, name), script, { mode: 0o755 });
      }
      // It adds to its folder, so that is another one than the repository.
      const checkout = path.join(folder, "checkout");
      for (const name of ["notebooks", "docs", "node_modules"])
        fs.mkdirSync(path.join(checkout, name), { recursive: true });
      fs.writeFileSync(path.join(checkout, "docs/README.md"), "");
      const { status, stdout, stderr } = spawnSync(path.join(root, ".binder/postBuild"), {
        cwd: checkout,
        encoding: "utf8",
        env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH!}` },
      });
      assert.equal(status, 0, stdout + stderr);
      const asked = fs.readFileSync(path.join(folder, "asked"), "utf8").trim().split("\n");
      const out = /--out (\S+)$/.exec(asked[0]!)![1]!;
      assert.deepEqual(asked, [
        `npm run wheel -- --out ${out}`,
        `pip install --no-cache-dir --no-deps ${out}/*.whl`,
        "npm cache clean --force",
      ]);
      assert.equal(fs.existsSync(out), false);
      assert.deepEqual(fs.readdirSync(checkout).sort(), ["docs", "notebooks"]);
      assert.ok(fs.existsSync(path.join(checkout, "notebooks/docs/README.md")));
    });
  });
});
