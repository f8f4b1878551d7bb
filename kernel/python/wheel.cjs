"use strict";
// Builds the Python wheel of the kernel: npm run wheel [-- --out FOLDER].
require("../bootstrap/prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel"],
  async (root, args) => {
    const path = require("path");
    const steps = require("../bootstrap/steps.cjs");
    const { buildWheel } = require("./build.cjs");

    const out = args.length === 0 ? path.join("build", "wheel") : args[0] === "--out" && args[1];
    if (!out || args.length > 2) {
      throw new steps.Complaint(
        "Cannot build the wheel: its only option is --out FOLDER, got " + args.join(" "),
        "npm run wheel writes it to build/wheel",
      );
    }
    const { file, bytes, unpacked } = await buildWheel(root, path.resolve(out));
    const mb = (n) => (n / 1e6).toFixed(1) + " MB";
    process.stdout.write(path.relative(root, file) + ": " + mb(bytes) + ", installed " + mb(unpacked) + "\n");
    return 0;
  },
);
