import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { projectFolders, type Folders } from "turnwise-kernel/dist/cli/folders.js";
import { temporaryFolder } from "../support/command.js";

/** The text of a notebook of one cell. */
export const notebook = (text: string): string =>
  JSON.stringify({
    cells: [{ cell_type: "markdown", id: "a", metadata: {}, source: text }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

/** A checkout with two notebooks, one of them in a folder, and the place where its kernel lies. */
export function checkout(repository: boolean): {
  folders: Folders;
  code: string;
  write(name: string): string;
} {
  const folder = fs.realpathSync(temporaryFolder("trust"));
  const write = (name: string, text = name): string => {
    const file = path.join(folder, "notebooks", name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, notebook(text));
    return file;
  };
  write("first.ipynb");
  write(path.join("appendix", "second.ipynb"));
  write(path.join(".ipynb_checkpoints", "first-checkpoint.ipynb"));
  const git = (...args: string[]): unknown =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  if (repository) {
    git("init", "--quiet");
    git("add", "notebooks/first.ipynb", "notebooks/appendix");
    git("commit", "--quiet", "--message", "The course");
  }
  const folders = projectFolders(folder);
  fs.mkdirSync(folders.state, { recursive: true });
  return { folders, code: path.join(folder, "kernel", "dist"), write };
}
