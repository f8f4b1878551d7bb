import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Folders } from "../folders.js";
import { notebooksIn } from "../notebook-files.js";

/** The notebooks that are as they were committed; undefined where there is no repository or no git. */
function committed(root: string, folder: string): Set<string> | undefined {
  const git = (...args: string[]): string[] =>
    execFileSync("git", ["-C", root, ...args, "--", folder], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000,
    })
      .split("\0")
      .filter((name) => name !== "")
      .map((name) => path.join(root, name));
  try {
    const changed = new Set(git("diff", "--name-only", "--relative", "-z", "HEAD"));
    return new Set(git("ls-files", "-z").filter((name) => !changed.has(name)));
  } catch {
    return undefined;
  }
}

/**
 * The notebooks that came with this very code and that the user's Jupyter has not signed yet, by digest. JupyterLab shows
 * the drawings of a notebook that it does not trust as bare text. Whoever runs `npm start` trusts the checkout already; a
 * notebook that was added or edited since is left to the user, and so is every other folder. An unpacked archive has no
 * repository to ask: there all notebooks are signed at the first start, and none later.
 */
export function notebooksToTrust(folders: Folders, code: string): Record<string, string> {
  const { root } = folders;
  if (!code.startsWith(root + path.sep)) return {};
  const folder = path.join(root, "notebooks");
  const known = signedBefore(trustRecord(folders));
  const own = committed(root, folder);
  if (!own && known) return {};
  const found: Record<string, string> = {};
  for (const name of fs.existsSync(folder) ? notebooksIn(folder) : []) {
    const file = path.join(folder, name);
    if (own && !own.has(file)) continue;
    const digest = createHash("sha256").update(fs.readFileSync(file)).digest("hex");
    if (!known?.has(digest)) found[file] = digest;
  }
  return found;
}

/** The digests of what was signed; none where the record is broken, and undefined where there is no record. */
function signedBefore(record: string): Set<unknown> | undefined {
  if (!fs.existsSync(record)) return undefined;
  try {
    return new Set(Object.values(JSON.parse(fs.readFileSync(record, "utf8")) as object));
  } catch {
    // Cut short, as when a disk is full: what is the repository's is signed once more, and an archive's was signed before.
    return new Set();
  }
}

/** Record of what the server has signed. */
function trustRecord(folders: Folders): string {
  return path.join(folders.state, "trusted.json");
}

/** Code in the server's configuration that signs them, once, and records it. */
export function trustingCode(folders: Folders, notebooks: Record<string, string>): string {
  if (Object.keys(notebooks).length === 0) return "";
  return `

def trust(notebooks, record):
    import hashlib
    import json

    import nbformat
    from jupyter_core.paths import jupyter_data_dir
    from nbformat.sign import NotebookNotary

    os.makedirs(jupyter_data_dir(), exist_ok=True)
    notary = NotebookNotary(data_dir=jupyter_data_dir())
    signed = {}
    try:
        with open(record, encoding="utf-8") as file:
            signed = dict(json.load(file))
    except (OSError, ValueError, TypeError):  # There is none yet, or it was cut short.
        pass
    for name, digest in notebooks.items():
        with open(name, "rb") as file:
            text = file.read()
        if hashlib.sha256(text).hexdigest() == digest:
            notary.sign(nbformat.reads(text.decode("utf-8"), as_version=4))
            signed[name] = digest
    # Whole or not at all: the next start reads it.
    with open(record + ".new", "w", encoding="utf-8") as file:
        json.dump(signed, file, indent=1)
    os.replace(record + ".new", record)


try:
    trust(${JSON.stringify(notebooks)}, ${JSON.stringify(trustRecord(folders))})
except Exception as error:  # The notebooks open all the same, with their drawings as text.
    print("The notebooks could not be signed:", error)
`;
}
