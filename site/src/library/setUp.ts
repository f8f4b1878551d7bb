import {
  keptFiles,
  LayeredStore,
  MemoryStore,
  setUp,
  type FileStore,
  type PageModule,
  type PageWorker,
} from "turnwise/browser";
import { folderOf } from "../shared/folder.js";
import { HandingWorker } from "./handedFiles.js";
import { moduleOf, modules, useLibrary } from "./modules.js";
import { sitePackage } from "./packages.js";
import { tellSite } from "./siteAddress.js";
import { fetchAtOnce, SiteFiles } from "./siteFiles.js";
import { toldStore, type OnSource } from "./toldStore.js";

/** Address of a site, and the folder of the notebook in it. */
export interface Place {
  /** The address of the site, with "/" at its end. */
  readonly base: string;
  /** The notebook's folder, such as "notebooks". */
  readonly location: string;
  /** The address of the library's files. Default: the folder `library` beside this script. */
  readonly library?: string;
  /** Files that the page keeps. Default: the browser's database. */
  readonly kept?: FileStore & { readonly ready: Promise<void> };
  /** Called with each file that cells may import. */
  readonly onSource?: OnSource;
}

interface WorkerScope {
  readonly Worker: new (url: string, o: { readonly type: "module"; readonly name: string }) => PageWorker;
  readonly location: { readonly href: string };
}

const scope = globalThis as unknown as WorkerScope;

/** Tells the library what a site of ours offers, in the worker that runs cells: once, before the first cell. */
export function setUpLibrary({ base, location, library = beside("library/"), kept, onSource }: Place): void {
  tellSite(base);
  const site = new SiteFiles(base);
  let told: FileStore;
  const offer = (own: FileStore): void => {
    told = onSource ? toldStore(own, onSource) : own;
    setUp({ files: new LayeredStore(told, site) });
  };
  // Where the browser keeps nothing, files live as long as the page.
  offer(kept ?? new MemoryStore());
  const ready = kept ? kept.ready.then(() => offer(kept)) : keptFiles().then(offer, () => undefined);
  useLibrary({ address: library, ready });
  const start = (script: string): PageWorker =>
    new scope.Worker(`${library}${script}`, { type: "module", name: script });
  // A worker rounds as this thread does, or a seed would give other bits there.
  const place = (): string =>
    new URLSearchParams({ base, location, relaxed: String(setUp({}).relaxed ?? true) }).toString();
  setUp({
    ...shared(location, library),
    startJobWorker: () =>
      new HandingWorker(
        start(`jobs.js?${place()}`),
        () => told,
        () => setUp({}).folder,
      ),
    startHelper: () => start("helper.js"),
  });
}

/** Address of the site for a worker that runs jobs, and its rounding. */
interface JobPlace {
  readonly base: string;
  readonly location: string;
  readonly relaxed: boolean;
  /** The reader's files. */
  readonly own: FileStore;
}

/** Sets up the parts that a worker that runs jobs needs. */
export function setUpJobs({ base, location, relaxed, own }: JobPlace): void {
  tellSite(base);
  const library = beside("./");
  useLibrary({ address: library, ready: Promise.resolve() });
  setUp({
    ...shared(location, library),
    files: new LayeredStore(own, new SiteFiles(base)),
    threads: "1",
    relaxed,
  });
}

function shared(location: string, library: string) {
  return {
    folder: folderOf(location),
    modules: Object.fromEntries(
      Object.entries(modules).flatMap(([name, load]): [string, PageModule][] => [
        [name, load],
        [name.replace(/^node:/, ""), load],
      ]),
    ),
    kernels: (relaxed: boolean) => fetchAtOnce(`${library}${relaxed ? "relaxed" : "plain"}.wasm`),
    asset: (name: string) => fetched(`${library}${name}`),
    importPackage: async (name: string) => {
      const load = moduleOf(name) ?? sitePackage(new URL("../packages/", library).href, name);
      if (!load) throw new RangeError(`the page does not serve ${name}`);
      return load();
    },
  };
}

const beside = (name: string): string => new URL(name, scope.location.href).href;

async function fetched(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok)
    throw new RangeError(`Cannot draw a picture: the page must serve ${url}, got status ${answer.status}.`);
  return new Uint8Array(await answer.arrayBuffer());
}
