import { createRequire } from "node:module";
import * as api from "../display/api.js";
import { displaySymbol } from "../display/bundle.js";
import { liveSymbol } from "../display/live.js";
import { streamChart } from "../display/stream.js";
import type { ownName as ownNameOf } from "../help/own-names.js";
import { log } from "../widgets/knob.js";
import type { knobs as knobsOf } from "../widgets/knobs.js";
import type { Output } from "./output.js";

const load = createRequire(__filename);

type Show = (data: string | Uint8Array) => void;

/** The module `tslab` as cells see it: the names of tslab's own module, with their output in this session. */
export function tslabModule(output: Output): Record<string, unknown> {
  const version = (name: string): string => (load(`${name}/package.json`) as { version: string }).version;
  const module = {
    display: makeDisplay(output, undefined),
    newDisplay: () => makeDisplay(output, nextId()),
    versions: { tslab: version("tslab"), typescript: version("typescript"), node: process.version },
  };
  return { ...module, default: module };
}

let counter = 0;

function nextId(): string {
  return `tslab-display-${process.pid}-${++counter}`;
}

function makeDisplay(output: Output, id: string | undefined): Record<string, unknown> {
  let shown = false;
  const show = (type: string, data: string | Uint8Array): void => {
    const content = {
      data: { [type]: typeof data === "string" ? data : Buffer.from(data).toString("base64") },
      metadata: {},
      transient: id === undefined ? {} : { display_id: id },
    };
    // A display with an id is one output: its first use creates it, each further use overwrites it.
    output.publish(id !== undefined && shown ? "update_display_data" : "display_data", content);
    shown = true;
  };
  const as =
    (type: string): Show =>
    (data) =>
      show(type, data);
  return {
    javascript: as("application/javascript"),
    html: as("text/html"),
    markdown: as("text/markdown"),
    latex: as("text/latex"),
    svg: as("image/svg+xml"),
    png: as("image/png"),
    jpeg: as("image/jpeg"),
    gif: as("image/gif"),
    pdf: as("application/pdf"),
    text: as("text/plain"),
    raw: show,
  };
}

/** The classes of widgets, loaded on first use: most notebooks have none. */
export function widgetModule(): typeof import("../widgets/widget.js") {
  return load("../widgets/widget.js") as typeof import("../widgets/widget.js");
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
    { ...api, displaySymbol, liveSymbol, streamChart },
    {
      widgets: lazily("../widgets/index.js"),
      button: lazily("../widgets/knob.js", "button"),
      knobs: lazily("../widgets/knobs.js", "knobs"),
      log: lazily("../widgets/knob.js", "log"),
      startKernel: lazily("../client/client.js", "startKernel"),
      KernelClient: lazily("../client/client.js", "KernelClient"),
    },
  );
}

/** `knobs` and `log` as every cell has them; the widget classes are loaded at the first call. */
export const lazyKnobs: { knobs: typeof knobsOf; log: typeof log } = {
  knobs: (...args) => (load("../widgets/knobs.js") as { knobs: typeof knobsOf }).knobs(...args),
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
    const { Help, documentedPackages } = load("../help/help.js") as typeof import("../help/help.js");
    const { ownName } = load("../help/own-names.js") as { ownName: typeof ownNameOf };
    helper = new Help(
      () => documentedPackages(kernelModule(), folder),
      (name) => ownName(name, cells()),
    );
  }
  return helper.about(...asked);
}
