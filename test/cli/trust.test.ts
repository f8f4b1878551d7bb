import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { projectFolders, type Folders } from "turnwise-kernel/dist/cli/folders.js";
import { findJupyter } from "turnwise-kernel/dist/cli/jupyter/find.js";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { notebooksToTrust, trustingCode } from "turnwise-kernel/dist/cli/jupyter/trust.js";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";

const notebook = (text: string): string =>
  JSON.stringify({
    cells: [{ cell_type: "markdown", id: "a", metadata: {}, source: text }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

/** A checkout with two notebooks, one of them in a folder, and the place where its kernel lies. */
function checkout(repository: boolean): { folders: Folders; code: string; write(name: string): string } {
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

const names = (folders: Folders, code: string): string[] =>
  Object.keys(notebooksToTrust(folders, code))
    .map((file) => path.basename(file))
    .sort();

describe("the notebooks that npm start signs for JupyterLab", () => {
  after(removeTemporaryFolders);

  it("are those of the repository, as committed: none that was added or edited since", () => {
    const { folders, code, write } = checkout(true);
    assert.deepEqual(names(folders, code), ["first.ipynb", "second.ipynb"]);
    write("added.ipynb");
    fs.writeFileSync(path.join(folders.root, "notebooks", "first.ipynb"), notebook("edited"));
    assert.deepEqual(names(folders, code), ["second.ipynb"]);
  });

  it("are all at the first start of an unpacked archive, and none later", () => {
    const { folders, code, write } = checkout(false);
    const first = notebooksToTrust(folders, code);
    assert.deepEqual(names(folders, code), ["first.ipynb", "second.ipynb"]);
    fs.writeFileSync(path.join(folders.state, "trusted.json"), JSON.stringify(first));
    write("added.ipynb");
    assert.deepEqual(names(folders, code), []);
  });

  it("are those of the repository again where the record was cut short, and none of an archive", () => {
    for (const broken of ['{\n "/a/first.ipynb": "0f', "", "null"]) {
      const [own, unpacked] = [checkout(true), checkout(false)];
      for (const { folders } of [own, unpacked])
        fs.writeFileSync(path.join(folders.state, "trusted.json"), broken);
      assert.deepEqual(names(own.folders, own.code), ["first.ipynb", "second.ipynb"], broken);
      assert.deepEqual(names(unpacked.folders, unpacked.code), [], broken);
    }
  });

  it("are none of a folder that this code does not lie in", () => {
    const { folders } = checkout(true);
    assert.deepEqual(names(folders, path.join(root, "kernel", "dist")), []);
  });

  it("are trusted by Jupyter after that, once, whatever else has changed", async function () {
    this.timeout(60_000);
    const jupyter = await findJupyter(projectFolders(root));
    const python = environmentPython(path.join(root, ".venv"));
    if (!jupyter || !fs.existsSync(python))
      skip(this, "needs the project's own JupyterLab", "npm test -- --prepare");
    const { folders, code, write } = checkout(true);
    const added = write("added.ipynb");
    const script = path.join(folders.state, "sign.py");
    const record = path.join(folders.state, "trusted.json");
    fs.writeFileSync(record, '{ "cut": "sho');
    const text = trustingCode(folders, notebooksToTrust(folders, code)).replace(
      "daemon=True",
      "daemon=False",
    );
    fs.writeFileSync(script, `import os\nimport threading\n${text}`);
    const env = { ...process.env, JUPYTER_DATA_DIR: folders.data };
    assert.equal(execFileSync(python, [script], { env, encoding: "utf8" }), "");
    assert.equal(Object.keys(JSON.parse(fs.readFileSync(record, "utf8")) as object).length, 2);
    assert.ok(!fs.existsSync(`${record}.new`));
    const ask = `import nbformat, sys
from jupyter_core.paths import jupyter_data_dir
from nbformat.sign import NotebookNotary
notary = NotebookNotary(data_dir=jupyter_data_dir())
print([notary.check_signature(nbformat.read(name, as_version=4)) for name in sys.argv[1:]])`;
    const course = ["first.ipynb", path.join("appendix", "second.ipynb")];
    const files = course.map((name) => path.join(folders.root, "notebooks", name));
    const answer = execFileSync(python, ["-c", ask, ...files, added], { env, encoding: "utf8" });
    assert.equal(answer.trim(), "[True, True, False]");
    assert.deepEqual(names(folders, code), []);
  });
});
