import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { type Folders } from "turnwise-kernel/dist/cli/folders.js";
import { notebooksToTrust } from "turnwise-kernel/dist/cli/jupyter/trust.js";
import { removeTemporaryFolders } from "../support/command.js";
import { root } from "../support/paths.js";
import { checkout, notebook } from "./trustCheckout.js";

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
});
