import type { LiteKernelClient, LiteKernelSpecs, LiteSignalClass } from "./lite.js";
import { LiteKernel } from "./lite-kernel.js";
import { interruptUrl, pageHost } from "./page-host.js";
import { tellServiceWorker, web } from "./web.js";

// The prebuilt extension: a module-federation container (`init` and `get`) that JupyterLite loads as it stands. It takes from
// JupyterLite two tokens and the class of signals, and brings everything else.

type Shared = Record<string, Record<string, { get(): Promise<() => unknown> }>>;

const name = "turnwise-kernel";
const script = web.document.currentScript!.src;
const scripts = new URL("./", script).href;
/** The extension lies in <site>/extensions/turnwise-kernel/static/. */
const base = new URL("../../../", script).href;
let scope: Shared = {};

/** The module that JupyterLite itself uses under a name. */
async function shared<T>(module: string): Promise<T> {
  const [version] = Object.values(scope[module] ?? {});
  if (!version) throw new Error(`${name}: JupyterLite shares no ${module}`);
  return (await version.get())() as T;
}

const spec = {
  name: "turnwise",
  display_name: "TypeScript (turnwise)",
  language: "typescript",
  argv: [],
  interrupt_mode: "message",
  metadata: { debugger: false },
  resources: { "logo-32x32": `${scripts}logo-32x32.png`, "logo-64x64": `${scripts}logo-64x64.png` },
};

/** How soon the lessons are loaded for a reader who may lose the network: after what the first results need. */
const keepAfterMs = 15_000;

/** The kernels of this page by their id. */
const kernels = new Map<string, LiteKernel>();

/** JupyterLite's own interrupt only drops what waits; for our kernels it stops the running cell as well. */
function interruptOurs(client: LiteKernelClient): void {
  const others = client.interrupt.bind(client);
  client.interrupt = (id) => {
    const kernel = kernels.get(id);
    if (!kernel) return others(id);
    kernel.interrupt();
    return Promise.resolve();
  };
}

async function plugin(): Promise<unknown> {
  const services = await shared<{ IKernelSpecs: unknown; IKernelClient: unknown }>("@jupyterlite/services");
  const { Signal } = await shared<{ Signal: LiteSignalClass }>("@lumino/signaling");
  return {
    id: `${name}:kernel`,
    autoStart: true,
    requires: [services.IKernelSpecs, services.IKernelClient],
    activate: (_app: unknown, specs: LiteKernelSpecs, client: LiteKernelClient) => {
      interruptOurs(client);
      // Once the page has settled, what a reader may want without a network is kept.
      setTimeout(() => tellServiceWorker({ keep: true }), keepAfterMs);
      specs.register({
        spec,
        create: (options) => {
          const tell = (): void => tellServiceWorker({ interrupt: interruptUrl(base, options.id) });
          const host = pageHost(options, base, scripts);
          const kernel = new LiteKernel(options, Signal, host, tell);
          kernels.set(options.id, kernel);
          kernel.onEnd(() => {
            host.stop();
            if (kernels.get(options.id) === kernel) kernels.delete(options.id);
          });
          return Promise.resolve(kernel);
        },
      });
    },
  };
}

web._JUPYTERLAB ??= {};
web._JUPYTERLAB[name] = {
  init: (given: Shared): void => {
    scope = given;
  },
  get: async (module: string): Promise<() => unknown> => {
    if (module !== "./extension") throw new Error(`${name} has no ${module}`);
    const found = { default: [await plugin()], __esModule: true };
    return () => found;
  },
};
