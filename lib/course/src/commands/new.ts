import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";
import { machine } from "turnwise/internal/base/host/index";
import { Complaint } from "turnwise/internal/command/contract";
import { command } from "turnwise/internal/command/options";
import { packageFolder } from "../shared/folder/node";

const namedAtMost = 8;

export const run = command({
  about: `Copies the course into a folder: notebooks/ with the lessons, the exercises and the appendix, the data sets that they
read, and docs/. It never overwrites a file: if one is there and differs, nothing is copied.`,
  positionals: "<folder>",
  options: {
    missing: { type: "boolean", help: "copy only missing files, and keep those that differ" },
  },
  run: ({ values, positionals }) => {
    const [folder] = positionals;
    if (folder === undefined || folder === "" || positionals.length > 1) {
      throw new Complaint(
        `Cannot copy the course: one folder must be named, got ${positionals.length === 0 || folder === "" ? "none" : positionals.join(", ")}.`,
        `For example: ${machine.program} new course`,
      );
    }
    const target = path.resolve(folder);
    const files = courseFiles();
    const absent = files.filter(({ name }) => stateOf(path.join(target, name)) === "absent");
    const differing = files.filter(({ name, content }) => differs(path.join(target, name), content));
    if (differing.length > 0 && !values.missing) throw overwriteComplaint(folder, target, differing);
    try {
      for (const { name, content } of absent) {
        const file = path.join(target, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        // In place: the file is new, and this fails if another program has just made it.
        fs.writeFileSync(file, content(), { flag: "wx" });
      }
    } catch (error) {
      throw new Complaint(
        `Cannot copy the course into ${folder}: it must be a folder that you may write to, with room for 25 MB: ${(error as Error).message}`,
      );
    }
    const count = absent.filter(({ name }) => name.endsWith(".ipynb")).length;
    const kept = differing.map(({ name }) => `Kept as it is: ${path.join(folder, name)}\n`);
    process.stdout.write(
      `${kept.join("")}Copied ${counted(count, "notebook")} and ${counted(absent.length - count, "other file")} into ${folder}\n` +
        `To open them: cd ${shellWord(folder)} && ${machine.program} lab\n`,
    );
    return Promise.resolve(0);
  },
});

interface CourseFile {
  /** Its path in the new folder, with forward slashes. */
  readonly name: string;
  content(): Buffer;
}

/** The files of the course: of this package, or of the repository that it is in. */
function courseFiles(): CourseFile[] {
  const packed = path.join(packageFolder, "notebooks.json.br");
  const root = path.join(packageFolder, "..", "..");
  const isPacked = fs.existsSync(packed);
  const texts = isPacked
    ? (JSON.parse(zlib.brotliDecompressSync(fs.readFileSync(packed)).toString()) as Record<string, string>)
    : repository().gather(root);
  const data = path.join(isPacked ? packageFolder : root, "datasets");
  const parts = isPacked ? fs.readdirSync(data) : repository().datasets;
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, content: () => Buffer.from(text) })),
    ...parts
      .flatMap((part) => filesBelow(data, part))
      // Programs that make the data, from the repository.
      .filter((part) => !part.endsWith(".cjs"))
      .map((part) => ({
        name: `datasets/${part.replace(/\.br$/, "")}`,
        content: () => unpacked(fs.readFileSync(path.join(data, part)), part),
      })),
  ];
}

/** A table that the package holds compressed is a table again, which other programs can read. */
const unpacked = (content: Buffer, name: string): Buffer =>
  name.endsWith(".br") ? zlib.brotliDecompressSync(content) : content;

interface Repository {
  readonly datasets: readonly string[];
  gather(root: string): Record<string, string>;
}

function repository(): Repository {
  const file = path.join(packageFolder, "bin", "notebooks.cjs");
  if (fs.existsSync(file)) return createRequire(__filename)(file) as Repository;
  throw new Complaint(
    `Cannot copy the course: ${packageFolder} must hold notebooks.json.br, which is missing.`,
    "To fix it: npm install turnwise-course",
  );
}

function filesBelow(folder: string, name: string): string[] {
  const file = path.join(folder, name);
  if (!fs.statSync(file).isDirectory()) return [name];
  return fs.readdirSync(file).flatMap((one) => filesBelow(folder, `${name}/${one}`));
}

/** A dangling link is there, too: writing through it would make a file elsewhere. */
function stateOf(file: string): "absent" | "file" | "other" {
  try {
    return fs.lstatSync(file).isFile() ? "file" : "other";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A file where there should be a folder.
    return code === "ENOTDIR" ? "other" : "absent";
  }
}

function differs(file: string, content: () => Buffer): boolean {
  const state = stateOf(file);
  if (state !== "file") return state === "other";
  try {
    return !fs.readFileSync(file).equals(content());
  } catch {
    return true;
  }
}

function overwriteComplaint(folder: string, target: string, differing: readonly CourseFile[]): Complaint {
  const names = differing.slice(0, namedAtMost).map(({ name }) => path.join(folder, name));
  const more = differing.length - names.length;
  return new Complaint(
    `Cannot copy the course into ${folder}: nothing there may be overwritten, but ${counted(differing.length, "file")} there would be: ` +
      `${names.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}.`,
    `To keep them and copy only what is missing, add --missing; or choose another folder: ${machine.program} new ${shellWord(freeName(folder, target))}`,
  );
}

/** A name like that of the folder, which nothing has. */
function freeName(folder: string, target: string): string {
  const stem = folder.replace(/[\\/]+$/, "");
  for (let n = 2; ; n++) {
    if (stateOf(`${target}${String(n)}`) === "absent") return `${stem}${String(n)}`;
  }
}

const counted = (count: number, name: string): string => `${String(count)} ${name}${count === 1 ? "" : "s"}`;

const shellWord = (text: string): string => (/^[\w./\\:~-]+$/.test(text) ? text : JSON.stringify(text));
