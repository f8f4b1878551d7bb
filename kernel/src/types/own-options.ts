import ts from "typescript";
import { host } from "./host.js";

/** The options of a tsconfig.json in the notebook's folder or above; without one, none are set. */
export function ownOptions(cwd: string): ts.CompilerOptions {
  const { files } = host();
  const path = ts.findConfigFile(cwd, (file) => files.exists(file));
  if (path === undefined) return {};
  const { config } = ts.readConfigFile(path, (file) => files.read(file)) as { config?: unknown };
  if (config === undefined) return {};
  // Which files a project has is of no interest, and takes long to find out.
  const reader: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    fileExists: (file) => files.exists(file),
    readFile: (file) => files.read(file),
    readDirectory: () => [],
  };
  return ts.parseJsonConfigFileContent(config, reader, files.path.dirname(path), undefined, path).options;
}
