/** A cell that begins with `%%module mine.ts`: its text belongs into that file. */
export interface ModuleMagic {
  /** The file as the cell names it, with `/` between folders. */
  file: string;
  /** A file of another origin may be replaced. */
  force: boolean;
  /** The cell with the magic line blanked out; all positions stay. */
  source: string;
  /** The number of the magic line, from 0. */
  line: number;
}

const shown = "%%module mine.ts";

/**
 * Reads the magic in the first line of a cell; undefined for a cell without one.
 *
 * @throws {RangeError} if the magic is unknown, or does not name a TypeScript file of the notebook's folder
 */
export function moduleMagic(code: string): ModuleMagic | undefined {
  const line = /^\s*(%%\S*|%module\b)[ \t]*([^\r\n]*)/.exec(code);
  if (!line) return undefined;
  const [all, name, rest] = line as unknown as [string, string, string];
  if (name !== "%%module") {
    const close = /^%%?mod/i.test(name) || /\.ts\b/.test(rest);
    const meant = close ? `; did you mean "%%module ${rest.trim() || "mine.ts"}"?` : "";
    throw new RangeError(
      `Cannot run the cell as its magic must be %%module, such as "${shown}": current value is "${name}"${meant}`,
    );
  }
  const [file = "", ...options] = rest.trim().split(/\s+/);
  expectFile(file);
  const unknown = options.find((option) => option !== "--force");
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot write ${file} as only --force may follow the name of the file: current value is "${unknown}"`,
    );
  }
  const source = all.replace(/[^\r\n]/g, " ") + code.slice(all.length);
  if (source.trim() === "") {
    throw new RangeError(`Cannot write ${file} as its text must stand below %%module: there is none`);
  }
  return { file, force: options.length > 0, source, line: all.split("\n").length - 1 };
}

/** Whether a cell that does not compile holds the magic, but further down. */
export function misplacedMagic(code: string): string | undefined {
  const line = code.split("\n").findIndex((one) => /^%%?module\b/.test(one));
  return line <= 0
    ? undefined
    : `Cannot run the cell as %%module must be its first line: it is line ${line + 1}`;
}

/** What completes the beginning of a magic line before the cursor. */
export function magicCompletions(before: string): string[] {
  const typed = /^\s*(%%?\w*)$/.exec(before)?.[1];
  return typed === undefined ? [] : ["%%module", "%types"].filter((magic) => magic.startsWith(typed));
}

function expectFile(file: string): void {
  if (file === "" || file.startsWith("--")) {
    throw new RangeError(
      `Cannot write the module as the name of its file must follow %%module, such as "${shown}": it is missing`,
    );
  }
  const refuse = (must: string, hint = ""): never => {
    throw new RangeError(
      `Cannot write the module as its file must ${must}: current value is "${file}"${hint}`,
    );
  };
  const parts = file.replace(/^\.\//, "").split("/");
  if (/^([\\/]|[A-Za-z]:|~)/.test(file) || parts.includes("..")) refuse("lie in the notebook's folder");
  if (!file.endsWith(".ts") || file.endsWith(".d.ts")) {
    refuse("end in .ts", `; did you mean "${file.replace(/(\.d)?\.[^./]*$/, "")}.ts"?`);
  }
  if (!parts.every((part) => /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u.test(part))) {
    refuse("have a name of letters, digits, - and _");
  }
  if (parts.includes("node_modules") || parts.at(-1)!.startsWith("__turnwise")) {
    refuse("have a name that no package and no cell of the kernel uses");
  }
}
