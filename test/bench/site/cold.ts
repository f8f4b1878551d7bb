import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser } from "playwright-core";
import { median } from "turnwise";
import { serve } from "turnwise-site/builder/serve.cjs";
import { launchBrowser } from "../../support/browser.js";
import { root } from "../../support/paths.js";
import { Link, type LinkSpeed } from "./link.js";
import { visit, type Visit } from "./visit.js";

/** The networks, by what a table calls them; the latencies are those of Chromium's own presets. */
export const networks: Readonly<Record<string, LinkSpeed>> = {
  "this machine": { bitsPerSecond: Infinity, latencyMs: 0 },
  "9 Mbit/s, 170 ms": { bitsPerSecond: 9e6, latencyMs: 170 },
  "1.6 Mbit/s, 560 ms": { bitsPerSecond: 1.6e6, latencyMs: 560 },
};

const lesson = "lessons/00-start-here/";
const inLab = "lab/index.html?path=notebooks/00-start-here.ipynb";
const limitMs = 180_000;
const prefix = "/class/course/";

/** The first visit, of a browser that knows nothing of the site, and the next. */
export interface Visits {
  readonly cold: Visit;
  readonly warm: Visit;
}

/** A file of the site that was asked for, and when, in seconds from the start. */
export type OnRequest = (seconds: number, file: string) => void;

/** One reader's first two visits to a lesson of the built site over a network. */
export async function visits(
  browser: Browser,
  speed: LinkSpeed,
  o: { readonly path?: string; readonly onRequest?: OnRequest } = {},
): Promise<Visits> {
  const server = await serve(path.join(root, "build", "site"), { prefix, compress: true });
  const link = await Link.open((server.address() as AddressInfo).port, speed);
  const context = await browser.newContext();
  const begun = performance.now();
  server.on("request", ({ url }) => {
    o.onRequest?.((performance.now() - begun) / 1000, url!.slice(prefix.length));
  });
  const address = `http://localhost:${link.port}${prefix}${o.path ?? lesson}`;
  const open = (): Promise<Visit> => visit(context, address, (time) => link.bytesUntil(time), limitMs);
  try {
    return { cold: await open(), warm: await open() };
  } finally {
    await context.close();
    link.close();
    server.close();
    server.closeAllConnections();
  }
}

/** The files of JupyterLite that each application asks for until the first result, in their order. */
export async function firstFiles(): Promise<Readonly<Record<string, readonly string[]>>> {
  const browser = await launchBrowser(undefined);
  const filesOf = async (address: string): Promise<readonly string[]> => {
    const { cold } = await visits(browser, networks["this machine"]!, { path: address });
    const paths = cold.asked.map((url) => {
      const { pathname, search } = new URL(url);
      return pathname.slice(prefix.length) + search;
    });
    return [...new Set(paths)].filter((file) =>
      /^(build\/.*\.(js|json|css)|extensions\/(?!turnwise-kernel\/).*\.js|config-utils\.js|api\/.*\.json)\b/.test(
        file,
      ),
    );
  };
  try {
    return { notebooks: await filesOf(lesson), lab: await filesOf(inLab) };
  } finally {
    await browser.close();
  }
}

/** The medians of several readers, a row for each network. */
export async function rows(rounds: number): Promise<string[][]> {
  const browser = await launchBrowser(undefined);
  const found = new Map(Object.keys(networks).map((name) => [name, [] as Visits[]]));
  try {
    for (let round = 0; round < rounds; round++)
      for (const [name, speed] of Object.entries(networks))
        found.get(name)!.push(await visits(browser, speed));
  } finally {
    await browser.close();
  }
  return [...found].map(([name, all]) => {
    const of = (value: (one: Visits) => number, digits = 1): string => median(all.map(value)).toFixed(digits);
    return [
      name,
      of(({ cold }) => cold.bytes / 1e6, 2),
      of(({ cold }) => cold.shown),
      of(({ cold }) => cold.result),
      of(({ warm }) => warm.bytes / 1e6, 2),
      of(({ warm }) => warm.result),
    ];
  });
}
