import type { FileChange } from "../shared/file-messages.js";
import { asAddress, bytesOf, modelOf, type Contents, type ContentsChange, type Drive } from "./contents.js";
import type { Channel } from "./web.js";

type Heard = (changes: readonly FileChange[]) => void;

/** Writes that come within this time are one, such as a file and its new name. */
const gatherMs = 10;

/**
 * The files that a reader has in JupyterLab's contents, as the workers of cells see them. A worker reads without waiting, so each
 * has a copy, and every change goes to all of them: of cells, of the file browser, and of other pages of the site.
 */
export class PageFiles {
  /** Resolves when all files that were there at the start have been read. */
  readonly ready: Promise<void>;
  private readonly files = new Map<string, Uint8Array>();
  private readonly workers = new Set<Heard>();
  private readonly saving = new Set<string>();
  private unsaved = new Map<string, { bytes: Uint8Array | undefined; by: Heard | undefined }>();
  private round: Promise<void> | undefined;

  /** @param others the site's other pages, which share its files */
  constructor(
    private readonly contents: Contents,
    private readonly drive: Drive,
    private readonly others?: Channel,
  ) {
    contents.fileChanged.connect((_, change) => void this.onChange(change));
    if (others) others.onmessage = ({ data }) => void this.onOther(data as string);
    this.ready = this.readAll();
  }

  /** All files, by their paths in a worker. */
  all(): FileChange[] {
    return [...this.files];
  }

  /** Whether the reader has a file, as far as files have been read; by its path in the contents. */
  has(path: string): boolean {
    return this.files.has(`/${path}`);
  }

  /** Calls a function with every change that it has not made itself, until what is returned is called. */
  listen(heard: Heard): () => void {
    this.workers.add(heard);
    return () => this.workers.delete(heard);
  }

  /** Saves files in the contents; each lasts once this resolves. */
  async write(changes: readonly FileChange[], by?: Heard): Promise<void> {
    for (const [path, bytes] of changes) this.unsaved.set(path, { bytes, by });
    await (this.round ??= this.save().finally(() => (this.round = undefined)));
  }

  private async save(): Promise<void> {
    const failed: unknown[] = [];
    while (this.unsaved.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const files = this.unsaved;
      this.unsaved = new Map();
      for (const [path, { bytes, by }] of files) {
        this.saving.add(path);
        try {
          await this.saveOne(path, bytes);
          this.tell(path, bytes, by);
        } catch (error) {
          failed.push(error);
        } finally {
          this.saving.delete(path);
        }
      }
    }
    if (failed.length > 0) throw failed[0];
  }

  private async saveOne(path: string, bytes: Uint8Array | undefined): Promise<void> {
    const name = path.slice(1);
    if (!bytes) {
      if (this.files.has(path)) await this.contents.delete(asAddress(name));
      return;
    }
    if (!this.files.has(path)) await this.makeFolders(name);
    await this.contents.save(asAddress(name), modelOf(name, bytes));
  }

  /** The contents save a file only in a folder that is there. */
  private async makeFolders(name: string): Promise<void> {
    const parts = name.split("/").slice(0, -1);
    for (const [i] of parts.entries()) {
      const folder = asAddress(parts.slice(0, i + 1).join("/"));
      const isThere = await this.contents.get(folder, { content: false }).catch(() => undefined);
      if (!isThere)
        await this.contents.save(folder, { type: "directory", format: "json", content: undefined });
    }
  }

  private async readAll(): Promise<void> {
    try {
      const paths = await (await this.drive.storage).keys();
      await Promise.all(paths.map((path) => this.read(path)));
    } catch (error) {
      console.warn(`turnwise: the files of this browser cannot be read: ${String(error)}`);
    }
  }

  private async read(name: string): Promise<void> {
    const model = await this.contents.get(asAddress(name), { content: true }).catch(() => undefined);
    const bytes = model && bytesOf(model);
    // What a cell has written meanwhile is newer.
    if (bytes && !this.isBusy(`/${name}`)) this.tell(`/${name}`, bytes);
  }

  private isBusy(path: string): boolean {
    return this.unsaved.has(path) || this.saving.has(path);
  }

  private async onChange({ type, oldValue, newValue }: ContentsChange): Promise<void> {
    const [from, to] = [oldValue?.path, newValue?.path];
    if (from !== undefined && (type === "delete" || type === "rename")) this.forget(`/${from}`);
    if (to === undefined || type === "delete" || this.isBusy(`/${to}`)) return;
    const bytes = bytesOf(newValue!);
    if (bytes) this.tell(`/${to}`, bytes);
    else if (newValue!.type !== "directory" && newValue!.content === undefined) await this.read(to);
  }

  /** A file is gone, or a folder with all that is in it. */
  private forget(path: string): void {
    for (const one of [...this.files.keys()])
      if ((one === path || one.startsWith(`${path}/`)) && !this.isBusy(one)) this.tell(one, undefined);
  }

  /** Another page has changed a file. */
  private async onOther(path: string): Promise<void> {
    const keys = await (await this.drive.storage).keys();
    if (this.isBusy(path)) return;
    if (!keys.includes(path.slice(1))) return this.keep(path, undefined);
    const model = await this.contents.get(asAddress(path.slice(1)), { content: true }).catch(() => undefined);
    const bytes = model && bytesOf(model);
    if (bytes) this.keep(path, bytes);
  }

  private tell(path: string, bytes: Uint8Array | undefined, by?: Heard): void {
    this.keep(path, bytes, by);
    this.others?.postMessage(path);
  }

  private keep(path: string, bytes: Uint8Array | undefined, by?: Heard): void {
    if (bytes) this.files.set(path, bytes);
    else this.files.delete(path);
    for (const worker of this.workers) if (worker !== by) worker([[path, bytes]]);
  }
}
