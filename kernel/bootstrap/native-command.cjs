"use strict";
require("./prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel"],
  async (root, args) => {
    const path = require("path");
    const steps = require("./steps.cjs");

    const usage =
      "npm run native compiles the kernels for this machine and says which run; npm run native -- --prebuild [--out FOLDER] " +
      "makes packages of them for linux x64, linux arm64 and macOS arm64 (in build/native unless told otherwise)";
    const at = args.indexOf("--out");
    const out = at < 0 ? path.join("build", "native") : args[at + 1];
    const rest = args.filter((arg, i) => arg !== "--prebuild" && (at < 0 || (i !== at && i !== at + 1)));
    if (rest.length > 0 || out === undefined || (at >= 0 && !args.includes("--prebuild"))) {
      throw new steps.Complaint(
        "Cannot run npm run native: its options are --prebuild and, with it, --out FOLDER, got " +
          args.join(" "),
        usage,
      );
    }
    if (!args.includes("--prebuild")) return require("../dist/cli/main.js").main(["doctor"], { root: root });

    const packages = require(path.join(root, "lib", "turnwise", "native", "packages.cjs"));
    const { isCurrent } = require(path.join(root, "lib", "turnwise", "native", "wasm.cjs"));
    const binary = require("fs").readFileSync(
      path.join(root, "lib/turnwise/src/tensor/fused/binary.ts"),
      "utf8",
    );
    if (!isCurrent(binary)) {
      throw new steps.Complaint(
        "Cannot make packages of the kernels: lib/turnwise/src/tensor/fused/binary.ts must be made from the same sources. Run npm run generated.",
        usage,
      );
    }
    for (const name of Object.keys(packages.packages)) {
      await steps.step("Compiling " + name, async () => {
        const [{ folder, bytes }] = await packages.prebuild(path.resolve(root, out), [name]);
        return path.relative(root, folder) + ", " + (bytes / 1e6).toFixed(1) + " MB";
      });
    }
    return 0;
  },
);
