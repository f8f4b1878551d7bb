import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { wantedHere } from "../tensor/fused/native/wanted";

interface Compiler {
  /** Resolves to what went wrong, undefined if nothing did. */
  compile(wanted: object): Promise<string | undefined>;
}

/** Compiles the network kernels for this machine, where there is a C compiler; `turnwise install` prints the sentence. */
export async function prepare(): Promise<string> {
  const wanted = wantedHere();
  if (!wanted) return "network kernels: nothing to compile on this machine";
  const done = `network kernels compiled for ${wanted.level}`;
  if (fs.existsSync(wanted.file)) return done;
  const compiler = path.join(__dirname, "..", "..", "native", "addon.cjs");
  const { compile } = createRequire(__filename)(compiler) as Compiler;
  const failed = await compile(wanted);
  return failed === undefined ? done : `network kernels: ${failed}`;
}
