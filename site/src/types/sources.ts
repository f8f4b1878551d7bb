import { SiteFiles } from "../library/siteFiles.js";
import type { PageFiles } from "../shared/page-folder.js";

/** A source that the worker of cells has reported; without a text it was removed. */
export interface SourceNews {
  readonly path: string;
  readonly text: string | undefined;
}

/** The notebook's sources as its cells see them: those of the site, and above them what is written in the page. */
export class Sources implements PageFiles {
  private readonly site: SiteFiles;
  private readonly told = new Map<string, Uint8Array | undefined>();

  constructor(base: string) {
    this.site = new SiteFiles(base);
  }

  hear({ path, text }: SourceNews): void {
    this.told.set(path, text === undefined ? undefined : new TextEncoder().encode(text));
  }

  read(path: string): Uint8Array | undefined {
    return this.told.has(path) ? this.told.get(path) : this.site.read(path);
  }

  list(folder: string): readonly string[] | undefined {
    const start = folder.endsWith("/") ? folder : `${folder}/`;
    const names = new Set(this.site.list(folder));
    for (const [path, bytes] of this.told) {
      if (!path.startsWith(start)) continue;
      const [name, below] = path.slice(start.length).split("/");
      if (below !== undefined) names.add(`${name}/`);
      else if (bytes) names.add(name!);
      else names.delete(name!);
    }
    return names.size > 0 ? [...names].sort() : undefined;
  }
}
