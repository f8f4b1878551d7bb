import { encoded } from "../contents.js";
import type { PageFiles } from "../files.js";

/** The notebooks and files of a site, and which of them a reader has changed. */
export class OwnFiles {
  private readonly folders = new Map<string, Promise<ReadonlySet<string>>>();

  /** @param base the site's address, with "/" at its end */
  constructor(
    private readonly base: string,
    private readonly files: PageFiles,
  ) {}

  /** Whether the site itself has a file, whatever the reader has made of it. */
  async isOfSite(path: string): Promise<boolean> {
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(at, 0));
    let names = this.folders.get(folder);
    if (!names) this.folders.set(folder, (names = this.namesIn(folder)));
    return (await names).has(path.slice(at + 1));
  }

  /** All files that the reader has, by their paths in the contents. */
  async all(): Promise<ReadonlyMap<string, Uint8Array>> {
    await this.files.ready;
    return new Map(this.files.all().flatMap(([path, bytes]) => (bytes ? [[path.slice(1), bytes]] : [])));
  }

  async has(path: string): Promise<boolean> {
    return (await this.all()).has(path);
  }

  /** The notebooks of the site of which the reader has a version of their own. */
  async changed(): Promise<string[]> {
    const notebooks = [...(await this.all()).keys()].filter((path) => path.endsWith(".ipynb")).sort();
    const ofSite = await Promise.all(notebooks.map((path) => this.isOfSite(path)));
    return notebooks.filter((_, i) => ofSite[i]);
  }

  private async namesIn(folder: string): Promise<ReadonlySet<string>> {
    const answer = await fetch(
      `${this.base}api/contents/${folder === "" ? "" : `${encoded(folder)}/`}all.json`,
    );
    if (!answer.ok) return new Set();
    const { content } = (await answer.json()) as { content: { name: string }[] };
    return new Set(content.map(({ name }) => name));
  }
}
