"use strict";
// Python with JupyterLite, which is needed to build the site and at no other time: in the .venv that JupyterLab has, too.

const fs = require("fs");
const path = require("path");
const command = require("turnwise-kernel/bootstrap/command.cjs");
const packages = require("turnwise-kernel/bootstrap/python-packages.cjs");

/** The program and its data folder; installs what is missing. */
async function provideLite(root) {
  const { makeEnvironment } = require("turnwise-kernel/internal/cli/jupyter/environment");
  const { environmentPython } = require("turnwise-kernel/internal/cli/jupyter/python");
  const folder = path.join(root, ".venv");
  const python = environmentPython(folder);
  const holds = async () => {
    if (!fs.existsSync(python)) return undefined;
    const asked =
      'import importlib.metadata as m; m.version("jupyter-server"); print("lite", m.version("jupyterlite-core"))';
    const { output } = await command.run(python, ["-c", asked], { timeoutMs: 60_000 });
    const version = /^lite (\S+)$/m.exec(output)?.[1];
    return packages.site.includes("jupyterlite-core==" + version) ? "JupyterLite " + version : undefined;
  };
  const wanted = [...packages.jupyterLab, ...packages.site];
  if ((await holds()) === undefined)
    await makeEnvironment({ folder, title: "JupyterLite", packages: wanted, holds });
  return { python, data: path.join(folder, "share", "jupyter") };
}

module.exports = { provideLite: provideLite };
