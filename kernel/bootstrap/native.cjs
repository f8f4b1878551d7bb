"use strict";
const fs = require("fs");
const path = require("path");
const steps = require("./steps.cjs");

/** Compiles the native kernels where there is a C compiler, once. Nothing depends on it but speed, so it never fails. */
async function compileKernels(root) {
  const addon = path.join(root, "lib", "turnwise", "native", "addon.cjs");
  const wanted = path.join(root, "lib", "turnwise", "dist", "tensor", "fused", "native", "wanted.js");
  if (!fs.existsSync(addon) || !fs.existsSync(wanted)) return;
  const { missing, compile } = require(addon);
  const target = require(wanted).wantedHere();
  if (!missing(target)) return;
  await steps.step("Compiling native kernels", async () => (await compile(target)) || "for " + target.level);
}

module.exports = { compileKernels: compileKernels };
