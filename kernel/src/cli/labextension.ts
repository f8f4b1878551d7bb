import fs from "node:fs";
import path from "node:path";

/** The lab extension's name, which is also its folder's. */
export const labextensionName = "turnwise-stream-chart";

const source = path.resolve(__dirname, "..", "..", "labextension");

function folderOf(dataFolder: string): string {
  return path.join(dataFolder, "labextensions", labextensionName);
}

/** Copies the prebuilt extension to where JupyterLab looks for it; returns that folder. */
export function writeLabextension(dataFolder: string): string {
  const folder = folderOf(dataFolder);
  // Next to it first: where the disk is full, the extension that was there stays.
  const fresh = `${folder}.${String(process.pid)}.new`;
  try {
    // In place: the folder is new.
    fs.cpSync(source, fresh, { recursive: true });
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(fresh, folder);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Whether the extension in a data folder is the one that this package brings, in each of its files. */
export function hasLabextension(dataFolder: string): boolean {
  const read = (folder: string, file: string): string | undefined => {
    try {
      return fs.readFileSync(path.join(folder, file), "utf8");
    } catch {
      return undefined;
    }
  };
  const scripts = fs.readdirSync(path.join(source, "static")).map((name) => path.join("static", name));
  return ["package.json", ...scripts].every(
    (file) => read(folderOf(dataFolder), file) === read(source, file),
  );
}

/** Removes the extension; true when there was one. */
export function removeLabextension(dataFolder: string): boolean {
  const folder = folderOf(dataFolder);
  if (!fs.existsSync(folder)) return false;
  fs.rmSync(folder, { recursive: true });
  return true;
}
