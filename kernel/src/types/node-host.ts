import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { magics } from "../magics/index.js";
import { disk } from "./disk.js";
import { useHost, type Files, type Host } from "./host.js";
import { PackedFiles, packedPlaces, type Packed } from "./packed.js";

const files: Files = {
  ...disk,
  exists: (path) => ts.sys.fileExists(path),
  hasFolder: (path) => ts.sys.directoryExists(path),
  folders: (path) => ts.sys.getDirectories(path),
  list: (...args) => ts.sys.readDirectory(...args),
  version: (path) => String(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? "none"),
  // TypeScript also knows other encodings, and byte order marks.
  read: (path) => ts.sys.readFile(path),
  real: (path) => ts.sys.realpath!(path),
};

/** The type service on Node, with the disk. */
export const nodeHost: Host = {
  files,
  caseSensitive: ts.sys.useCaseSensitiveFileNames,
  standardLibraries: () => dirname(ts.getDefaultLibFilePath({})),
  kernel: () => join(__dirname, ".."),
  typeRoot: () => dirname(dirname(require.resolve("@types/node/package.json"))),
  runtime: () => `Node ${process.version.slice(1)}, which runs the cells,`,
  isBuiltin,
  builtinNames: (module) => Object.keys(process.getBuiltinModule(module) ?? {}),
  // TypeScript asks now and then during a check, which may be long: nobody waits for it once the front is gone.
  cancellation() {
    const front = process.ppid;
    return { isCancellationRequested: () => process.ppid !== front && process.exit(0) };
  },
  magics,
  form: "repl",
  transpile: ts.transpileModule,
};

/** The type service on Node, with declarations in one file as in a browser; from the disk come the notebook's own files alone. */
function packedHost(file: string): Host {
  const packed = JSON.parse(readFileSync(file, "utf8")) as Packed;
  return {
    ...nodeHost,
    ...packedPlaces,
    files: new PackedFiles(packed.files, files, disk.digest),
  };
}

/** Tells the type service that it runs on Node, and where its declarations are if the environment names a packed file. */
export function useNode(): void {
  const file = process.env.TURNWISE_DECLARATIONS;
  useHost(file === undefined ? nodeHost : packedHost(file));
}
