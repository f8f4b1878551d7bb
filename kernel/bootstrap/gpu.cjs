"use strict";
require("./prepare.cjs").prepare(["lib", "kernel"], async (root) => {
  const fs = require("fs");
  const path = require("path");
  const command = require("./command.cjs");
  const install = require("./install.cjs");
  const steps = require("./steps.cjs");

  const wanted = "@tensorflow/tfjs-node-gpu@4.22.0";
  const folder = path.join(root, "node_modules", "@tensorflow", "tfjs-node-gpu");
  const bin = path.join(root, "node_modules", ".bin");
  const addon = () =>
    fs.existsSync(path.join(folder, "lib")) &&
    fs
      .readdirSync(path.join(folder, "lib"))
      .some((name) => fs.existsSync(path.join(folder, "lib", name, "tfjs_binding.node")));

  const complaint = (why) =>
    new steps.Complaint(
      "Cannot install the GPU backend as " + wanted + " must fetch its TensorFlow library: " + why,
      "Everything else goes on with the default backend (turnwise doctor says which). To try again: npm run gpu",
    );

  const reason = (output) => {
    const line = output.split("\n").find((text) => /getaddrinfo|E[A-Z]{5,}|[Ee]rror:/.test(text));
    return (line || command.tail(output, 1)).trim();
  };

  // The package's script waits forever for a server that accepts and never answers; npm 11 runs it only if approved.
  const limitMs = Number(process.env.TURNWISE_GPU_LIMIT_S || 900) * 1000;
  const attempt = async (progress) => {
    const npm = install.npmCommand();
    const options = {
      cwd: root,
      shell: npm.shell,
      timeoutMs: limitMs,
      onLine: (line) => progress(line.slice(0, 60)),
    };
    const packages = await command.run(
      npm.file,
      npm.args.concat(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", wanted]),
      options,
    );
    if (packages.code !== 0) throw complaint(reason(packages.output));
    progress("TensorFlow library");
    const script = await command.run(
      process.execPath,
      [path.join("scripts", "install.js"), "gpu", "download"],
      {
        cwd: folder,
        env: Object.assign({}, process.env, { PATH: bin + path.delimiter + process.env.PATH }),
        timeoutMs: limitMs,
        onLine: (line) => progress(line.slice(0, 60)),
      },
    );
    if (script.timedOut) throw complaint("it took longer than " + limitMs / 1000 + " s");
    if (script.code !== 0 || !addon()) throw complaint(reason(script.output));
    return "installed";
  };
  if (!addon()) {
    await steps.step("Installing " + wanted, async (progress) => {
      try {
        return await attempt(progress);
      } catch (error) {
        const npm = install.npmCommand();
        const prune = npm.args.concat(["prune", "--ignore-scripts", "--no-audit", "--no-fund"]);
        await command.run(npm.file, prune, { cwd: root, shell: npm.shell });
        throw error;
      }
    });
  }
  return require("../dist/cli/main.js").main(["doctor"], { root: root });
});
