import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";

const specOf = (prefix: string, name = "turnwise"): string =>
  path.join(prefix, "share", "jupyter", "kernels", name, "kernel.json");

describe("turnwise install and uninstall", () => {
  after(removeTemporaryFolders);

  it("write and remove a kernelspec that starts this Node on this kernel, interrupted by message", async () => {
    const prefix = temporaryFolder();
    const installed = await turnwise(["install", "--prefix", prefix]);
    assert.equal(installed.code, 0, installed.stderr);
    const spec = JSON.parse(fs.readFileSync(specOf(prefix), "utf8")) as Record<string, unknown>;
    assert.deepEqual(spec.argv, [
      fs.realpathSync(process.execPath),
      path.join(root, "kernel", "dist", "front", "main.js"),
      "{connection_file}",
    ]);
    assert.equal(spec.interrupt_mode, "message");
    assert.equal(spec.language, "typescript");
    assert.equal(spec.display_name, "TypeScript (turnwise)");
    const removed = await turnwise(["uninstall", "--prefix", prefix]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(fs.existsSync(path.dirname(specOf(prefix))), false);
  });

  it("name the Node that --node gives, which must be one", async () => {
    const prefix = temporaryFolder();
    const link = path.join(prefix, "my-node");
    fs.symlinkSync(process.execPath, link);
    const installed = await turnwise(["install", "--prefix", prefix, "--node", link]);
    assert.equal(installed.code, 0, installed.stderr);
    const { argv } = JSON.parse(fs.readFileSync(specOf(prefix), "utf8")) as { argv: string[] };
    assert.equal(argv[0], link);
    fs.writeFileSync(path.join(prefix, "no-node"), "#!/bin/sh\necho hello\n", { mode: 0o755 });
    for (const wrong of [path.join(prefix, "absent"), path.join(prefix, "no-node")]) {
      const refused = await turnwise(["install", "--prefix", prefix, "--name", "other", "--node", wrong]);
      assert.equal(refused.code, 1);
      assert.ok(
        refused.stderr.startsWith(
          `Cannot install the kernel: --node must be the program file of a Node, but ${wrong} does not run as one.\n`,
        ),
        refused.stderr,
      );
      assert.equal(fs.existsSync(specOf(prefix, "other")), false);
    }
  });

  it("serve the notebooks of another kernel under its name, in its dialect", async () => {
    const prefix = temporaryFolder();
    const specs: Record<string, unknown> = {};
    for (const name of ["deno", ".net-javascript", "tslab"]) {
      const installed = await turnwise(["install", "--prefix", prefix, "--name", name]);
      assert.equal(installed.code, 0, installed.stderr);
      const spec = JSON.parse(fs.readFileSync(specOf(prefix, name), "utf8")) as Record<string, unknown>;
      specs[name] = [spec.display_name, spec.language, ...(spec.argv as string[]).slice(3)];
    }
    assert.deepEqual(specs, {
      deno: ["TypeScript (turnwise for deno)", "typescript", "--dialect=deno"],
      ".net-javascript": ["JavaScript (turnwise for .net-javascript)", "javascript", "--dialect=javascript"],
      tslab: ["TypeScript (turnwise for tslab)", "typescript"],
    });
  });

  it("say so if the same kernel is already there, and change nothing", async () => {
    const prefix = temporaryFolder();
    await turnwise(["install", "--prefix", prefix]);
    const before = fs.statSync(specOf(prefix)).mtimeMs;
    const again = await turnwise(["install", "--prefix", prefix]);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /already installed in /);
    assert.equal(fs.statSync(specOf(prefix)).mtimeMs, before);
  });

  it("refuse to replace another kernel of that name unless forced", async () => {
    const prefix = temporaryFolder();
    fs.mkdirSync(path.dirname(specOf(prefix)), { recursive: true });
    fs.writeFileSync(specOf(prefix), JSON.stringify({ argv: ["other"], display_name: "Other" }));
    const refused = await turnwise(["install", "--prefix", prefix]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Cannot install the kernel: the name turnwise must be free, but .* holds Other\.\nTo replace it, add --force; /,
    );
    assert.match(fs.readFileSync(specOf(prefix), "utf8"), /Other/);
    const kept = await turnwise(["uninstall", "--prefix", prefix]);
    assert.equal(kept.code, 1);
    assert.match(
      kept.stderr,
      /must hold a turnwise kernel, but it holds Other\.\nTo remove it anyway, add --force\./,
    );
    const forced = await turnwise(["install", "--prefix", prefix, "--force"]);
    assert.equal(forced.code, 0, forced.stderr);
    assert.match(fs.readFileSync(specOf(prefix), "utf8"), /TypeScript \(turnwise\)/);
  });

  it("replace an unreadable kernel.json only when forced", async () => {
    const prefix = temporaryFolder();
    fs.mkdirSync(path.dirname(specOf(prefix)), { recursive: true });
    fs.writeFileSync(specOf(prefix), "{ half");
    assert.equal((await turnwise(["install", "--prefix", prefix])).code, 1);
    assert.equal((await turnwise(["install", "--prefix", prefix, "--force"])).code, 0);
  });

  it("bring the chart extension of JupyterLab along, and take it away with the last kernel that needs it", async () => {
    const prefix = temporaryFolder();
    const extension = path.join(prefix, "share", "jupyter", "labextensions", "turnwise-stream-chart");
    const entry = path.join(extension, "static", "remoteEntry.js");
    await turnwise(["install", "--prefix", prefix]);
    await turnwise(["install", "--prefix", prefix, "--name", "second"]);
    const said = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8")) as {
      jupyterlab: { _build: { load: string } };
    };
    assert.equal(path.join(extension, said.jupyterlab._build.load), entry);
    const whole = fs.readFileSync(entry, "utf8");
    fs.writeFileSync(entry, "half");
    await turnwise(["install", "--prefix", prefix]);
    assert.equal(fs.readFileSync(entry, "utf8"), whole, "installing again repairs it");
    const fold = path.join(extension, "static", "fold.js");
    fs.rmSync(fold);
    await turnwise(["install", "--prefix", prefix]);
    assert.ok(fs.existsSync(fold), "also where another of its scripts is missing");
    await turnwise(["uninstall", "--prefix", prefix]);
    assert.ok(fs.existsSync(entry), "the second kernel still needs it");
    await turnwise(["uninstall", "--prefix", prefix, "--name", "second"]);
    assert.equal(fs.existsSync(extension), false);
  });

  it("leave a kernel that came with the Python package to pip", async () => {
    const prefix = temporaryFolder();
    fs.mkdirSync(path.dirname(specOf(prefix)), { recursive: true });
    const argv = ["python", "-m", "turnwise_kernel", "{connection_file}"];
    fs.writeFileSync(specOf(prefix), JSON.stringify({ argv, display_name: "TypeScript (turnwise)" }));
    const refused = await turnwise(["uninstall", "--prefix", prefix]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Cannot uninstall the kernel: .* belongs to the Python package turnwise-kernel\.\nTo remove it: pip uninstall /,
    );
    assert.ok(fs.existsSync(specOf(prefix)));
    await turnwise(["install", "--prefix", prefix, "--name", "second"]);
    await turnwise(["uninstall", "--prefix", prefix, "--name", "second"]);
    const extension = path.join(prefix, "share", "jupyter", "labextensions", "turnwise-stream-chart");
    assert.ok(fs.existsSync(extension), "the Python package's kernel still needs it");
  });

  it("put the kernel for one's account where Jupyter looks for it", async () => {
    const home = temporaryFolder();
    const env = { HOME: home, XDG_DATA_HOME: "", JUPYTER_DATA_DIR: path.join(home, "data") };
    assert.equal((await turnwise(["install", "--user"], { env })).code, 0);
    assert.ok(fs.existsSync(path.join(home, "data", "kernels", "turnwise", "kernel.json")));
  });

  it("put the kernel into the active Python environment", async () => {
    const prefix = temporaryFolder();
    const installed = await turnwise(["install", "--sys-prefix"], { env: { VIRTUAL_ENV: prefix } });
    assert.equal(installed.code, 0, installed.stderr);
    assert.ok(fs.existsSync(specOf(prefix)));
  });

  it("accept only names that Jupyter accepts, and only one place", async () => {
    const named = await turnwise(["install", "--prefix", temporaryFolder(), "--name", "my kernel"]);
    assert.equal(named.code, 1);
    assert.match(named.stderr, /must consist of letters, digits, "\.", "_" and "-", got "my kernel"/);
    const places = await turnwise(["install", "--user", "--sys-prefix"]);
    assert.equal(places.code, 1);
    assert.match(places.stderr, /only one of --user, --sys-prefix and --prefix may be given/);
  });
});

describe("turnwise", () => {
  it("lists its commands, and prints its version", async () => {
    const { code, stdout } = await turnwise(["--help"]);
    assert.equal(code, 0);
    for (const name of ["lab", "run", "install", "uninstall", "doctor"])
      assert.match(stdout, new RegExp(`^ {2}${name} `, "m"));
    const version = await turnwise(["--version"]);
    const wanted = JSON.parse(fs.readFileSync(path.join(root, "kernel", "package.json"), "utf8")) as {
      version: string;
    };
    assert.equal(version.stdout, `${wanted.version}\n`);
  });

  it("suggests the command that was meant", async () => {
    const { code, stderr } = await turnwise(["instal"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot run this command: it must be one of sweep, .*, got instal\.\nDid you mean: turnwise install\n$/,
    );
    assert.match((await turnwise(["frobnicate"])).stderr, /See: turnwise --help\n$/);
  });

  it("names an unknown option, without a stack", async () => {
    const { code, stderr } = await turnwise(["run", "--fast"]);
    assert.equal(code, 1);
    assert.equal(stderr, "Cannot run turnwise run: unknown option '--fast'.\nSee: turnwise run --help\n");
    const near = await turnwise(["install", "--frce"]);
    assert.match(near.stderr, /unknown option '--frce'\.\nDid you mean: --force\n$/);
    const extra = await turnwise(["uninstall", "now"]);
    assert.match(extra.stderr, /^Cannot run turnwise uninstall: .*'now'/);
  });
});
