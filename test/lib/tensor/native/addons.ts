import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { kernelSource } from "turnwise/internal/tensor/fused/binary";
import { loadAddon, type Addon } from "turnwise/internal/tensor/fused/native/addon";
import { processorLevels } from "turnwise/internal/tensor/fused/native/processor";
import { root } from "../../../support/paths.js";
import { skip } from "../../../support/needs.js";

const { compile } = createRequire(__filename)(path.join(root, "lib", "turnwise", "native", "addon.cjs")) as {
  compile(wanted: { file: string; level: string; fused: boolean }): Promise<string | undefined>;
};

/** An addon for a level that this processor has, which rounds products once (`fused`) or twice. */
export interface Built {
  readonly level: string;
  readonly fused: boolean;
  readonly addon: Addon;
}

/** One addon for each width that this processor has, compiled if need be; skips the suite where there is no C compiler. */
export async function addonsHere(context: Mocha.Context): Promise<Built[]> {
  const levels = processorLevels();
  if (levels.length === 0) skip(context, "no native kernels are compiled for this platform");
  const wanted = levels.flatMap((level) =>
    (level === "x86-64" ? [false] : [false, true]).map((fused) => ({
      ...{ level, fused },
      file: path.join(root, "lib/turnwise/native/built", [kernelSource, process.platform, level, fused ? "once" : "twice"].join("-") + ".node"), // prettier-ignore
    })),
  );
  const built: Built[] = [];
  for (const one of wanted) {
    const reason = fs.existsSync(one.file) ? undefined : await compile(one);
    if (reason?.includes("no C compiler")) skip(context, "no C compiler", "apt install gcc");
    if (reason !== undefined) throw new Error(reason);
    const addon = loadAddon(one.file);
    if (typeof addon === "string") throw new Error(addon);
    built.push({ ...one, addon });
  }
  return built;
}
