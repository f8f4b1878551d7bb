import { History } from "turnwise-kernel/internal/front/history";
import type { PrintedText } from "turnwise-kernel/internal/front/host";
import type { KernelHost } from "turnwise-kernel/internal/front/kernel";
import type { KernelFacts } from "turnwise-kernel/internal/front/info";
import { BrowserTypes } from "../types/service.js";
import { startAhead, takeWorker } from "./ahead.js";
import type { PageFiles } from "./files.js";
import { PrintedFiles } from "./printed-files.js";
import type { LiteKernelOptions } from "./lite.js";
import { tellTypes } from "./notice.js";
import { WorkerSession } from "./worker-session.js";
import { tellServiceWorker, web } from "./web.js";

/** Constants that the build of the site writes into the bundle. */
declare const VERSIONS: { readonly kernel: string; readonly typescript: string };

/** The address at which a loop of a kernel's cells asks whether it is to stop, where no memory is shared. */
const interruptUrl = (base: string, id: string): string => `${base}api/turnwise/interrupt/${id}`;

/** Delay between a result and the loading of types: a reader sees the result first. */
const typesAfterMs = 500;

/** Without a place for files, nothing is kept of what was left out. */
const nothingKept: PrintedText = {
  begin: () => undefined,
  add: () => undefined,
  cut: () => undefined,
  end: () => undefined,
};

function facts(): KernelFacts {
  const browser = /(Firefox|Edg|Chrome|Version)\/[\d.]+/.exec(web.navigator.userAgent)?.[0] ?? "a browser";
  return {
    version: VERSIONS.kernel,
    typescript: VERSIONS.typescript,
    engine: browser.replace("Version", "Safari").replace("/", " "),
    debugger: false,
  };
}

/** The scripts that every kernel of a page runs first. */
const firstScripts = { cells: "cells.js", prepare: "prepare.js" };

/** Starts what a kernel will need, in a page that is about to open a notebook. */
export const startKernelAhead = (scripts: string): void =>
  startAhead(Object.values(firstScripts).map((name) => new URL(name, scripts).href));

/** A kernel's surroundings in a page: workers instead of processes. `base` is the site's address. */
export function pageHost(
  { id, location }: LiteKernelOptions,
  base: string,
  scripts: string,
  kept?: { files: PageFiles; notebook: () => string | undefined },
): Omit<KernelHost, "transport" | "exit"> & { stop(): void } {
  const at = (name: string): string => new URL(name, scripts).href;
  const types = new BrowserTypes(
    { first: at(firstScripts.prepare), full: at("types.js") },
    { base, location },
    tellTypes,
    (url) => takeWorker(url).worker,
  );
  return {
    history: new History(),
    types,
    printed: kept ? new PrintedFiles(kept.files, location, kept.notebook) : nothingKept,
    sessions: {
      open: (events) =>
        new WorkerSession(
          {
            ...events,
            onReport: (report, buffers) => {
              events.onReport(report, buffers);
              if (report.t !== "done") return;
              tellServiceWorker({ settled: interruptUrl(base, id) });
              setTimeout(() => void types.load().catch(() => undefined), typesAfterMs);
            },
          },
          (news) => types.source(news),
          {
            url: at(firstScripts.cells),
            base,
            folder: location,
            poll: interruptUrl(base, id),
            ...(kept && { files: kept.files }),
          },
        ),
      spare: true,
    },
    facts,
    log: (text) => console.warn(text.trimEnd()),
    stop: () => types.stop(),
  };
}
