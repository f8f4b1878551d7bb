import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { projectFolders, type Folders } from "turnwise-kernel/dist/cli/folders.js";
import { findJupyter } from "turnwise-kernel/dist/cli/jupyter/find.js";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { notebooksToTrust, trustingCode } from "turnwise-kernel/dist/cli/jupyter/trust.js";
import { removeTemporaryFolders } from "../support/command.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";
import { checkout } from "./trustCheckout.js";

const names = (folders: Folders, code: string): string[] =>
  Object.keys(notebooksToTrust(folders, code))
    .map((file) => path.basename(file))
    .sort();

describe("the notebooks that npm start signs for JupyterLab", () => {
  after(removeTemporaryFolders);

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
