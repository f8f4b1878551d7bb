import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { host, resultText, runIn } from "./with-kernel.js";

/** Files of a notebook as its kernel has them: on the disk, or in the page where the cells run. */
export interface NotebookFiles {
  read(name: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
  exists(name: string): Promise<boolean>;
  list(): Promise<string[]>;
}

export function notebookFiles(kernel: () => KernelClient, folder: () => string): NotebookFiles {
  const at = (name: string): string => join(folder(), name);
  if (host === "node")
    return {
      read: (name) => Promise.resolve(readFileSync(at(name), "utf8")),
      write: (name, text) => Promise.resolve(writeFileSync(at(name), text)),
      exists: (name) => Promise.resolve(existsSync(at(name))),
      list: () => Promise.resolve(readdirSync(folder())),
    };
  const run = runIn(kernel);
  const value = async (call: string): Promise<unknown> => {
    const code = `// @ts-nocheck\nJSON.stringify(require("node:fs").${call}) ?? "null"`;
    // The text is shown as inspect writes it.
    const shown = resultText(await run(code))!;
    return JSON.parse((0, eval)(shown) as string) as unknown;
  };
  const quoted = (name: string): string => JSON.stringify(at(name));
  return {
    read: async (name) => String(await value(`readFileSync(${quoted(name)}, "utf8")`)),
    write: async (name, text) => {
      await value(`writeFileSync(${quoted(name)}, ${JSON.stringify(text)})`);
    },
    exists: async (name) => (await value(`existsSync(${quoted(name)})`)) === true,
    list: async () => (await value(`readdirSync(${JSON.stringify(folder())})`)) as string[],
  };
}
