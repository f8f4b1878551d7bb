"use strict";
require("./prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel"],
  async (root, args) => {
    const fs = require("fs");
    const path = require("path");
    const command = require("./command.cjs");
    const steps = require("./steps.cjs");
    const gpu = require("./gpu-packages.cjs");

    const unknown = args.find((arg) => arg !== "--cuda11");
    if (unknown !== undefined) {
      throw new steps.Complaint(
        "Cannot run npm run gpu: its only option is --cuda11, got " + unknown,
        "npm run gpu installs WebGPU for a GPU of any vendor; npm run gpu -- --cuda11 adds TensorFlow's library for CUDA 11",
      );
    }

    const cuda = "@tensorflow/tfjs-node-gpu@4.22.0";
    const folder = path.join(root, "node_modules", "@tensorflow", "tfjs-node-gpu");
    const addon = () =>
      fs.existsSync(path.join(folder, "lib")) &&
      fs
        .readdirSync(path.join(folder, "lib"))
        .some((name) => fs.existsSync(path.join(folder, "lib", name, "tfjs_binding.node")));
    const withCuda = args.length > 0 || addon();

    // npm removes what it was not asked for this time, so all are named in one command.
    await steps.step("Installing " + gpu.names.join(" and "), (progress) =>
      gpu.install(root, withCuda ? [cuda] : [], progress),
    );
    if (withCuda && !addon()) await steps.step("Installing TensorFlow's library for CUDA 11", fetchLibrary);
    return require("../dist/cli/main.js").main(["doctor"], { root: root });

    // The package's script waits forever for a server that accepts and never answers; npm 11 runs it only if approved.
    async function fetchLibrary(progress) {
      const limitMs = Number(process.env.TURNWISE_GPU_LIMIT_S || 900) * 1000;
      const bin = path.join(root, "node_modules", ".bin");
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
      if (script.code === 0 && addon()) return "installed";
      const why = script.timedOut
        ? "it took longer than " + limitMs / 1000 + " s"
        : gpu.reason(script.output);
      throw new steps.Complaint(
        "Cannot install " + cuda + ": its TensorFlow library must be fetched: " + why,
        "WebGPU is installed all the same (turnwise doctor says what runs). To try again: npm run gpu -- --cuda11",
      );
    }
  },
);
