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
    for (const word of pip[0]!.split(" ").slice(2)) assert.match(word, /^--no-cache-dir$|^[\w-]+==[\d.]+$/);
    assert.match(of("FROM")[0]!, /^node:\d+-bookworm-slim$/);
  });

  it("bring a Node.js that the kernel runs on", () => {
    const oldest = Number(/>=(\d+)/.exec(manifest.engines.node)![1]);
    assert.ok(Number(/^node:(\d+)/.exec(of("FROM")[0]!)![1]) >= oldest);
    assert.ok(Number(/nodejs=(\d+)/.exec(environment)![1]) >= oldest);
  });

  it("build the repository in the same way, with npm scripts and files that exist", () => {
    const build = (shell: string): string[] => commands(shell).filter((one) => /^(npm|node) /.test(one));
    assert.deepEqual(build(of("RUN").find((line) => line.includes("npm ci"))!), build(postBuild));
    for (const [, script] of postBuild.matchAll(/npm run (\w+)/g))
      assert.ok(Object.hasOwn(manifest.scripts, script!));
    for (const [, file] of postBuild.matchAll(/node (\S+)/g))
      assert.ok(fs.existsSync(path.join(root, file!)));
  });

  it("keep to the rules of small, unprivileged images", () => {
    const apt = of("RUN").find((line) => line.includes("apt-get"))!;
    assert.match(
      apt,
      /^apt-get update && apt-get install -y --no-install-recommends .* && rm -rf \/var\/lib\/apt\/lists\/\*$/,
    );
    assert.equal(of("USER").at(-1), "node");
    const last = docker.findLastIndex(([name]) => name === "RUN");
    assert.ok(docker.findIndex(([name]) => name === "USER") > last, "root builds, the user runs");
    for (const form of [...of("CMD"), ...of("ENTRYPOINT")]) assert.ok(Array.isArray(JSON.parse(form)), form);
    for (const source of of("COPY").map((rest) => rest.split(" ")[0]!)) {
      assert.ok(fs.existsSync(path.join(root, source)), source);
    }
    for (const folder of of("WORKDIR")) {
      const inside = path.relative("/opt/turnwise", folder);
      assert.ok(fs.existsSync(path.join(root, inside)), folder);
    }
  });

  it("make docs/ reachable from the lessons, whose folder is the top one", () => {
    const link = "ln -s ../docs notebooks/docs";
    const inImage = docker.findIndex(([name, rest]) => name === "RUN" && commands(rest).includes(link));
    assert.ok(inImage > docker.findIndex(([name]) => name === "COPY"), "after the files are there");
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

    it("runs as it stands and registers a kernel that starts from this repository", () => {
      assert.ok(fs.statSync(path.join(root, ".binder/postBuild")).mode & 0o100, "not executable");
      // npm would download everything again; what it is asked for is written down instead.
      const bin = path.join(folder, "bin");
      fs.mkdirSync(bin);
      fs.writeFileSync(path.join(bin, "npm"), `#!/bin/sh\necho "$@" >> "${folder}/npm"\n`, { mode: 0o755 });
      // It adds to its folder, so that is another one than the repository.
      const checkout = path.join(folder, "checkout");
      fs.mkdirSync(path.join(checkout, "notebooks"), { recursive: true });
      for (const name of ["kernel", "docs"])
        fs.symlinkSync(path.join(root, name), path.join(checkout, name), "junction");
      const { status, stdout, stderr } = spawnSync(path.join(root, ".binder/postBuild"), {
        cwd: checkout,
        encoding: "utf8",
        env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH!}`, VIRTUAL_ENV: folder },
      });
      assert.equal(status, 0, stdout + stderr);
      assert.deepEqual(fs.readFileSync(path.join(folder, "npm"), "utf8").trim().split("\n"), [
        "ci --ignore-scripts --no-audit --no-fund",
        "run build",
        "cache clean --force",
      ]);
      const spec = JSON.parse(
        fs.readFileSync(path.join(folder, "share/jupyter/kernels/turnwise/kernel.json"), "utf8"),
      ) as { argv: string[]; language: string };
      assert.ok(fs.existsSync(path.join(checkout, "notebooks/docs/README.md")));
      assert.equal(spec.language, "typescript");
      assert.ok(spec.argv.some((word) => word.startsWith(path.join(root, "kernel")) && fs.existsSync(word)));
    });
  });
});
