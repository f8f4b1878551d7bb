import { createRequire } from "node:module";
import * as api from "../../display/api.js";
import { displaySymbol } from "../../display/bundle.js";
import { liveSymbol } from "../../display/live.js";
import { streamChart } from "../../display/stream.js";
import { broadcast, createComm, registerTarget } from "../../widgets/comms.js";
import { log } from "../../widgets/knob.js";
import type { knobs as knobsOf } from "../../widgets/knobs.js";

const load = createRequire(__filename);

/** Versions that cells may ask the module `tslab` for. */
export function tslabVersions(): Record<string, string> {
  const version = (name: string): string => (load(`${name}/package.json`) as { version: string }).version;
  return { tslab: version("tslab"), typescript: version("typescript"), node: process.version };
}

/** The classes of widgets, loaded on first use: most notebooks have none. */
export function widgetModule(): typeof import("../../widgets/front-end.js") {
  return load("../../widgets/front-end.js") as typeof import("../../widgets/front-end.js");
}

/** The module `turnwise-kernel` as cells see it; the client that starts kernels is loaded only where it is used. */
export function kernelModule(): Record<string, unknown> {
  const lazily = (file: string, name?: string) => ({
    enumerable: true,
    get: () => {
      const module = load(file) as Record<string, unknown>;
      return name === undefined ? module : module[name];
    },
  });
  return Object.defineProperties(
    { ...api, broadcast, createComm, registerTarget, displaySymbol, liveSymbol, streamChart },
    {
      widgets: lazily("../../widgets/index.js"),
      button: lazily("../../widgets/knob.js", "button"),
      knobs: lazily("../../widgets/knobs.js", "knobs"),
      log: lazily("../../widgets/knob.js", "log"),
      startKernel: lazily("../../client/client.js", "startKernel"),
      KernelClient: lazily("../../client/client.js", "KernelClient"),
    },
  );
}

/** `knobs` and `log` as every cell has them; the widget classes are loaded at the first call. */
export const lazyKnobs: { knobs: typeof knobsOf; log: typeof log } = {
  knobs: (...args) => (load("../../widgets/knobs.js") as { knobs: typeof knobsOf }).knobs(...args),
  log,
};

let helper: { about(...asked: readonly unknown[]): unknown } | undefined;

/** Answers `help(...)`; what it needs is loaded at the first question. */
export function help(
  asked: readonly unknown[],
  folder: string,
  cells: () => Iterable<readonly [file: string, text: string]>,
): unknown {
  if (!helper) {
    const { installedHelp } = load("../../help/installed.js") as typeof import("../../help/installed.js");
    helper = installedHelp(kernelModule(), folder, cells);
  }
  return helper.about(...asked);
}
