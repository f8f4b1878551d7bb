import { appendFileSync, closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { outputFolder } from "../display/output-folder.js";
import type { KeptText, PrintedText } from "./host.js";

interface Printed {
  /** The name of its file, without a folder. */
  file: string;
  /** Printed text, until there is a file. */
  parts: string[];
  size: number;
  path?: string;
  /** Something of it was left out in the notebook. */
  cut: boolean;
}

/** Keeps all that a cell prints in a file, if that is more than a notebook can take. */
export class Spill implements PrintedText {
  private readonly cells = new Map<string, Printed>();

  constructor(
    private readonly folder: string,
    private readonly limits: () => { burst: number; kept: number },
  ) {}

  /** A cell starts; what those before it have printed is in their files. */
  begin(cell: string, name: string): void {
    for (const printed of this.cells.values()) printed.parts = [];
    this.cells.set(cell, { file: `${notebookName()}${name}.txt`, parts: [], size: 0, cut: false });
  }

  add(cell: string, text: string): void {
    const printed = this.cells.get(cell);
    if (!printed) return;
    const { burst, kept } = this.limits();
    const room = kept - printed.size;
    printed.size += text.length;
    if (room <= 0) return;
    printed.parts.push(text.slice(0, room));
    if (printed.size <= burst) return;
    const whole = printed.parts.splice(0).join("");
    try {
      printed.path ??= this.create(printed.file);
      appendFileSync(printed.path, whole);
    } catch {
      // A full disk must not stop the cell.
    }
  }

  /** A part of a cell's output is left out; says where all of it is. */
  cut(cell: string): string | undefined {
    const printed = this.cells.get(cell);
    if (!printed?.path) return undefined;
    printed.cut = true;
    return shownPath(this.folder, printed.path);
  }

  /** A cell has ended: the path of its file and its size, if something was left out; otherwise the file is not needed. */
  end(cell: string): KeptText | undefined {
    const printed = this.cells.get(cell);
    this.cells.delete(cell);
    if (printed?.path === undefined) return undefined;
    if (printed.cut) return { path: shownPath(this.folder, printed.path), size: printed.size };
    rmSync(printed.path, { force: true });
    return undefined;
  }

  private create(file: string): string {
    const places = [join(this.folder, outputFolder), join(tmpdir(), `${outputFolder}-${process.pid}`)];
    for (const [i, place] of places.entries()) {
      try {
        mkdirSync(place, { recursive: true });
        const path = join(place, file);
        // In place: no file has that name yet.
        closeSync(openSync(path, "w"));
        return path;
      } catch (error) {
        if (i === places.length - 1) throw error;
      }
    }
    throw new Error("Cannot keep the output: there must be a folder for it.");
  }
}

/** Jupyter's server tells a kernel the path of its notebook; two of one folder must not overwrite each other's files. */
function notebookName(): string {
  const session = process.env.JPY_SESSION_NAME;
  return session === undefined ? "" : `${basename(session).replace(/\.ipynb$/, "")}-`;
}

/** As a link in the notebook names it. */
function shownPath(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith("..") ? path : inside.replaceAll("\\", "/");
}
