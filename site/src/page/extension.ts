import { kernelSpec } from "turnwise-kernel/internal/protocol/language";
import type { LiteKernelClient, LiteKernelSpecs, LiteSignalClass } from "./lite.js";
import type { Contents, Drive } from "./contents.js";
import { distrustUploads } from "./uploads.js";
import { whenNear, type RendererFactory } from "./charts.js";
import { whenKernelIsThere, type RunCell } from "./early-runs.js";
import { PageFiles } from "./files.js";
import type { CommandPalette, Commands, Dialogs, NotebookTracker, WidgetClass } from "./reader/jupyter.js";
import { readersCommands } from "./reader/plugin.js";
import { LiteKernel } from "./lite-kernel.js";
import { pageHost, startKernelAhead } from "./page-host.js";
import { tellNotIsolated } from "./notice.js";
import { readOnce, type LiteSettings } from "./settings.js";
import { Typesetter } from "./typesetter.js";
import { tellServiceWorker, web, type Channel } from "./web.js";

// The prebuilt extension: a module-federation container (`init` and `get`) that JupyterLite loads as it stands. It takes from
// JupyterLite two tokens and the class of signals, and brings everything else.

type Shared = Record<string, Record<string, { get(): Promise<() => unknown> }>>;

const name = "turnwise-kernel";
const script = web.document.currentScript!.src;
const scripts = new URL("./", script).href;
/** The script lies in <site>/extensions/turnwise-kernel/static/<what the scripts hold>/. */
const base = new URL("../../../../", script).href;
const logo = (name: string): string => new URL(`../${name}`, script).href;
const opensNotebook = new URL(web.location.href).searchParams.get("path")?.endsWith(".ipynb") ?? false;
let scope: Shared = {};

interface Sessions {
  running(): Iterable<{ readonly path: string; readonly kernel: { readonly id: string } | null }>;
}

interface LabApp {
  readonly commands: Commands;
  readonly serviceManager: { readonly contents: Contents; readonly sessions: Sessions };
}

type LiteSettingsClass = new (o: {
  storageName: string;
  localforage: unknown;
  serverSettings: unknown;
}) => LiteSettings;

/** JupyterLab's extension that draws charts. */
interface ChartExtension {
  readonly rendererFactory: RendererFactory;
  readonly rank: number;
  readonly dataType: string;
}

/** The name of the notebook that a kernel runs, without its ending. */
function notebookOf(sessions: Sessions, id: string): string | undefined {
  const path = [...sessions.running()].find(({ kernel }) => kernel?.id === id)?.path;
  return path?.replace(/^.*\//, "").replace(/\.ipynb$/, "");
}

/** The module that JupyterLite itself uses under a name. */
async function shared<T>(module: string): Promise<T> {
  const [version] = Object.values(scope[module] ?? {});
  if (!version) throw new Error(`${name}: JupyterLite shares no ${module}`);
  return (await version.get())() as T;
}

const spec = {
  ...kernelSpec,
  argv: [],
  interrupt_mode: "message",
  metadata: { debugger: false },
  resources: { "logo-32x32": logo("logo-32x32.png"), "logo-64x64": logo("logo-64x64.png") },
};

/** Delay before the lessons are loaded for a reader who may lose the network: after what the first results need. */
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

/** The other pages of this site. */
const otherPages = (): Channel | undefined =>
  web.BroadcastChannel && new web.BroadcastChannel(`turnwise-files ${base}`);

let pageFiles: PageFiles | undefined;

function filesOf(app: LabApp, drive: Drive): PageFiles {
  if (!pageFiles) distrustUploads(drive);
  return (pageFiles ??= new PageFiles(app.serviceManager.contents, drive, otherPages()));
}

async function kernelPlugin(): Promise<unknown> {
  const services = await shared<{ IKernelSpecs: unknown; IKernelClient: unknown }>("@jupyterlite/services");
  const labServices = await shared<{ IDefaultDrive: unknown }>("@jupyterlab/services");
  const { Signal } = await shared<{ Signal: LiteSignalClass }>("@lumino/signaling");
  return {
    id: `${name}:kernel`,
    autoStart: true,
    requires: [services.IKernelSpecs, services.IKernelClient, labServices.IDefaultDrive],
    activate: (app: LabApp, specs: LiteKernelSpecs, client: LiteKernelClient, drive: Drive) => {
      const files = filesOf(app, drive);
      interruptOurs(client);
      // Once the page has settled, what a reader may want without a network is kept.
      setTimeout(() => tellServiceWorker({ keep: true }), keepAfterMs);
      specs.register({
        spec,
        create: (options) => {
          if (!web.crossOriginIsolated) tellNotIsolated(base);
          const host = pageHost(options, base, scripts, {
            files,
            notebook: () => notebookOf(app.serviceManager.sessions, options.id),
          });
          const kernel = new LiteKernel(options, Signal, host);
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

/** The reader's own copy: only where notebooks are shown. */
async function readerPlugins(): Promise<unknown[]> {
  if (!scope["@jupyterlab/notebook"]) return [];
  const { IDefaultDrive } = await shared<{ IDefaultDrive: unknown }>("@jupyterlab/services");
  const { INotebookTracker } = await shared<{ INotebookTracker: unknown }>("@jupyterlab/notebook");
  const dialogs = await shared<Dialogs & { ICommandPalette: unknown }>("@jupyterlab/apputils");
  const { Widget } = await shared<{ Widget: WidgetClass }>("@lumino/widgets");
  const plugin = {
    id: `${name}:reader`,
    autoStart: true,
    requires: [IDefaultDrive],
    optional: [INotebookTracker, dialogs.ICommandPalette],
    activate: (
      app: LabApp,
      drive: Drive,
      tracker: NotebookTracker | null,
      palette: CommandPalette | null,
    ) => {
      const { commands, serviceManager } = app;
      const files = filesOf(app, drive);
      if (tracker)
        readersCommands({
          ...{ base, commands, contents: serviceManager.contents, drive, files },
          ...{ tracker, palette, dialogs, Widget },
        });
    },
  };
  return [plugin];
}

/** JupyterLite's own plugin of settings, but that it reads them once; the site's settings leave that one out. */
async function settingsPlugin(): Promise<unknown> {
  const { ISettingManager, IServerSettings } = await shared<Record<string, unknown>>("@jupyterlab/services");
  const { ILocalForage } = await shared<{ ILocalForage: unknown }>("@jupyterlite/localforage");
  const { Settings } = await shared<{ Settings: LiteSettingsClass }>("@jupyterlite/services");
  const { PageConfig } = await shared<{ PageConfig: { getOption(name: string): string } }>(
    "@jupyterlab/coreutils",
  );
  return {
    id: `${name}:settings`,
    autoStart: true,
    requires: [ILocalForage],
    optional: [IServerSettings],
    provides: ISettingManager,
    activate: (_: unknown, { localforage }: { localforage: unknown }, serverSettings: unknown) => {
      const storageName = `JupyterLite Storage - ${PageConfig.getOption("baseUrl")}`;
      return readOnce(
        new Settings({ storageName, localforage, serverSettings: serverSettings ?? undefined }),
      );
    },
  };
}

/** Runs cells; the site's settings omit JupyterLab's own way. */
async function runPlugins(): Promise<unknown[]> {
  if (!scope["@jupyterlab/notebook"]) return [];
  const { INotebookCellExecutor, runCell } = await shared<{
    INotebookCellExecutor: unknown;
    runCell: RunCell;
  }>("@jupyterlab/notebook");
  const plugin = {
    id: `${name}:run`,
    autoStart: true,
    provides: INotebookCellExecutor,
    activate: () => Object.freeze({ runCell: whenKernelIsThere(runCell, kernelSpec.name) }),
  };
  return [plugin];
}

/** Formulas by KaTeX; the site's settings leave JupyterLab's own typesetter out. */
async function mathPlugin(): Promise<unknown> {
  const { ILatexTypesetter } = await shared<{ ILatexTypesetter: unknown }>("@jupyterlab/rendermime");
  return {
    id: `${name}:math`,
    autoStart: true,
    provides: ILatexTypesetter,
    activate: () => new Typesetter(`${scripts}math/`),
  };
}

/** Charts by JupyterLab's own renderer, drawn when they come near. */
async function chartRenderer(): Promise<unknown[]> {
  const vega = "@jupyterlab/vega5-extension";
  if (!scope[vega]) return [];
  const { default: own } = await shared<{ default: ChartExtension }>(vega);
  // Its rank makes a chart come before the picture that lies beside it.
  const { rendererFactory, rank, dataType } = own;
  return [{ id: `${name}:charts`, rendererFactory: whenNear(rendererFactory), rank, dataType }];
}

const parts: Readonly<Record<string, () => Promise<unknown[]>>> = {
  "./extension": async () => [
    await kernelPlugin(),
    await mathPlugin(),
    await settingsPlugin(),
    ...(await runPlugins()),
    ...(await readerPlugins()),
  ],
  "./mimeExtension": chartRenderer,
};

if (opensNotebook) startKernelAhead(scripts);

web._JUPYTERLAB ??= {};
web._JUPYTERLAB[name] = {
  init: (given: Shared): void => {
    scope = given;
  },
  get: async (module: string): Promise<() => unknown> => {
    const made = parts[module];
    if (!made) throw new Error(`${name} has no ${module}`);
    const found = { default: await made(), __esModule: true };
    return () => found;
  },
};
