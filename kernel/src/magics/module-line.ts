import type { MagicCall } from "./contract.js";

/** Arguments of `%%module`. */
export interface ModuleLine {
  /** The file as the cell names it, with `/` between folders. */
  file: string;
  /** A file of another origin may be replaced. */
  force: boolean;
}

/** A cell that begins with `%%module mine.ts`: its text belongs into that file. */
export interface ModuleMagic extends ModuleLine {
  /** The cell with the magic line blanked out; all positions stay. */
  source: string;
  /** The number of the magic line, from 0. */
  line: number;
}

const shown = "%%module mine.ts";

/**
 * Reads what follows `%%module`.
 *
 * @throws {RangeError} if it does not name a TypeScript file of the notebook's folder, or if no text follows
 */
export function moduleLine({ rest, body = "" }: MagicCall): ModuleLine {
  const [file = "", ...options] = rest.trim().split(/\s+/);
  expectFile(file);
  const unknown = options.find((option) => option !== "--force");
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot write ${file}: only --force may follow the name of the file, got "${unknown}".`,
    );
  }
  if (body.trim() === "") {
    throw new RangeError(`Cannot write ${file}: its text must stand below %%module.`);
  }
  return { file, force: options.length > 0 };
}

function expectFile(file: string): void {
  if (file === "" || file.startsWith("--")) {
    throw new RangeError(
      `Cannot write the module: the name of its file must follow %%module, such as "${shown}", but it is missing.`,
    );
  }
  const refuse = (must: string, hint = ""): never => {
    throw new RangeError(`Cannot write the module: its file must ${must}, got "${file}".${hint}`);
  };
  const parts = file.replace(/^\.\//, "").split("/");
  if (/^([\\/]|[A-Za-z]:|~)/.test(file) || parts.includes("..")) refuse("lie in the notebook's folder");
  if (!file.endsWith(".ts") || file.endsWith(".d.ts")) {
    refuse("end in .ts", `\nDid you mean "${file.replace(/(\.d)?\.[^./]*$/, "")}.ts"?`);
  }
  if (!parts.every((part) => /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u.test(part))) {
    refuse("have a name of letters, digits, - and _");
  }
  if (parts.includes("node_modules") || parts.at(-1)!.startsWith("__turnwise")) {
    refuse("have a name that no package and no cell of the kernel uses");
  }
}
