import { outputFolder } from "turnwise-kernel/internal/display/output-folder";
import type { KeptText, PrintedText } from "turnwise-kernel/internal/front/host";
import type { PageFiles } from "./files.js";

/** Largest text of one cell that is kept. */
const longest = 8_000_000;

interface Printed {
  /** From the notebook's folder. */
  readonly path: string;
  readonly parts: string[];
  size: number;
  /** Something of it was left out in the notebook. */
  cut: boolean;
}

/** Keeps all that a cell prints among the page's files, if that is more than a notebook can take. */
export class PrintedFiles implements PrintedText {
  private readonly cells = new Map<string, Printed>();

  constructor(
    private readonly files: PageFiles,
    private readonly folder: string,
    /** Of the notebook, without its ending: two of one folder must not overwrite each other's files. */
    private readonly notebook: () => string | undefined,
  ) {}

  begin(cell: string, name: string): void {
    const notebook = this.notebook();
    const file = notebook === undefined ? name : `${notebook}-${name}`;
    this.cells.set(cell, { path: `${outputFolder}/${file}.txt`, parts: [], size: 0, cut: false });
  }

  add(cell: string, text: string): void {
    const printed = this.cells.get(cell);
    if (!printed) return;
    const room = longest - printed.size;
    printed.size += text.length;
    if (room > 0) printed.parts.push(text.slice(0, room));
  }

  cut(cell: string): string | undefined {
    const printed = this.cells.get(cell);
    if (!printed) return undefined;
    printed.cut = true;
    return printed.path;
  }

  /** Resolves when the file lasts: whoever sees the link may open it, or load the page again, at once. */
  async end(cell: string): Promise<KeptText | undefined> {
    const printed = this.cells.get(cell);
    this.cells.delete(cell);
    if (!printed?.cut) return undefined;
    const { path, parts, size } = printed;
    const at = ["", this.folder, path].filter((part, i) => i === 0 || part !== "").join("/");
    try {
      await this.files.write([[at, new TextEncoder().encode(parts.join(""))]]);
      return { path, size };
    } catch (error) {
      console.warn(`turnwise: ${path} is not kept: ${String(error)}`);
      return undefined;
    }
  }
}
