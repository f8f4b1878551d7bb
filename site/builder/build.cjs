"use strict";
// Builds the site: JupyterLite with the course, the data sets and the kernel, in a folder that any static host can serve.

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const command = require("turnwise-kernel/bootstrap/command.cjs");
const { versionsOf, writeExtension } = require("./parts.cjs");
const { fitNotebooks } = require("./notebooks.cjs");
const { writePages } = require("./pages.cjs");
const { writeReading } = require("./reading.cjs");
const { writeViews } = require("./views.cjs");
const { writeServiceWorker } = require("./worker.cjs");
const steps = require("turnwise-kernel/bootstrap/steps.cjs");

const widgets = "@jupyter-widgets/jupyterlab-manager";
const apps = ["lab", "notebooks", "tree", "edit"];
/** Not for readers: what measures the data sets, the checkpoints that Jupyter makes, and the way to docs/ that `npm start` lays. */
const leftOut = /(^|\/)(\.ipynb_checkpoints|turnwise-output|[^/]*\.cjs)(\/|$)|^notebooks\/docs$/;

/** Copies what readers open into one folder, as the contents show it: lessons beside data sets, so that ../datasets is found. */
function copyContents(root, folder, withSolutions) {
  fs.rmSync(folder, { recursive: true, force: true });
  const copy = (from, to) =>
    fs.cpSync(path.join(root, from), path.join(folder, to), {
      recursive: true,
      filter: (file) => !leftOut.test(path.relative(root, file).replaceAll("\\", "/")),
    });
  for (const name of ["notebooks", "datasets", "docs"]) copy(name, name);
  if (!withSolutions) return;
  for (const lesson of fs.readdirSync(path.join(root, "lib/course/src"))) {
    const at = `lib/course/src/${lesson}`;
    if (fs.existsSync(path.join(root, at, "solutions"))) copy(`${at}/solutions`, "notebooks/solutions");
    if (fs.existsSync(path.join(root, at, "teacher.md")))
      copy(`${at}/teacher.md`, `notebooks/teacher/${lesson}.md`);
  }
}

/** Settings that the site's applications read at their start. */
function settings() {
  return {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
      appName: "turnwise",
      defaultKernelName: "turnwise",
      // Where a kernel asks nothing of a server, an older browser's cache must not answer for a newer site.
      enableServiceWorkerCache: "false",
      disabledExtensions: [
        "@jupyterlite/javascript-kernel-extension",
        // site/src/page/typesetter.ts stands for it.
        "@jupyterlab/mathjax-extension",
        // site/src/page/settings.ts stands for it.
        "@jupyterlite/services-extension:settings",
        // site/src/page/early-runs.ts stands for it.
        "@jupyterlab/notebook-extension:cell-executor",
      ],
      // Light or dark, as the reader's system is, until the reader chooses.
      settingsOverrides: { "@jupyterlab/apputils-extension:themes": { "adaptive-theme": true } },
    },
  };
}

/** A digest of all files below the given ones. */
function digest(files) {
  const hash = crypto.createHash("sha256");
  const add = (file) => {
    if (!fs.existsSync(file)) return;
    if (fs.statSync(file).isDirectory())
      for (const name of fs.readdirSync(file).sort()) add(path.join(file, name));
    else hash.update(file + "\n").update(fs.readFileSync(file));
  };
  files.forEach(add);
  return hash.digest("hex").slice(0, 16);
}

/**
 * Builds the site into `out`, unless the one there was made of the same things. `python` is one with JupyterLite, `data` the
 * folder with its lab extensions. Cells can import `packages`, which must be in node_modules. Only `withSolutions` puts the solutions
 * and the teacher's notes into it.
 */
async function buildSite({ root, out, python, data, packages, withSolutions }) {
  const parts = path.join(root, "build", "site-parts");
  const extensions = path.join(parts, "labextensions");
  fs.mkdirSync(extensions, { recursive: true });
  await steps.step("Bundling the kernel", async () => {
    const files = await writeExtension(root, extensions, packages);
    return files.length + " scripts";
  });
  const contents = path.join(parts, "contents");
  copyContents(root, contents, withSolutions);
  fitNotebooks(path.join(contents, "notebooks"), versionsOf(root).typescript);
  const sources = ["site/static", "site/builder", "kernel/bootstrap"].map((name) => path.join(root, name));
  const stamp = digest([
    extensions,
    contents,
    ...sources,
    path.join(root, "site", "src", "page"),
    path.join(root, "site", "src", "front"),
    path.join(root, "site", "src", "views"),
    path.join(root, "lib", "turnwise", "src"),
    path.join(root, "lib", "course", "src", "02-impossibility-theorem", "push.ts"),
    path.join(root, "lib", "course", "src", "04-echo-trap", "alarms"),
    path.join(root, "lib", "practice", "src"),
    path.join(root, "lib", "course", "src", "worlds", "ruleRuns.ts"),
    path.join(root, "kernel", "README.md"),
    path.join(root, "kernel", "src", "runner"),
    ...fs
      .readdirSync(path.join(root, "lib", "course", "src"))
      .map((lesson) => path.join(root, "lib", "course", "src", lesson, "teacher.md")),
    path.join(root, "kernel", "labextension"),
  ]);
  const mark = path.join(out, "build.json");
  if (fs.existsSync(mark) && JSON.parse(fs.readFileSync(mark, "utf8")).stamp === stamp) return false;
  await steps.step("Building the site", async () => {
    const lite = path.join(parts, "lite");
    fs.rmSync(lite, { recursive: true, force: true });
    fs.rmSync(out, { recursive: true, force: true });
    fs.mkdirSync(lite, { recursive: true });
    fs.writeFileSync(path.join(lite, "jupyter-lite.json"), JSON.stringify(settings(), null, 2) + "\n");
    const config = {
      LiteBuildConfig: {
        apps,
        contents: [contents],
        federated_extensions: [
          path.join(data, "labextensions", ...widgets.split("/")),
          path.join(extensions, "turnwise-kernel"),
          path.join(root, "kernel", "labextension"),
        ],
        // Whatever else that Python may have: the site is the same everywhere.
        ignore_sys_prefix: ["federated_extensions"],
        no_sourcemaps: true,
        no_unused_shared_packages: true,
        output_dir: out,
      },
    };
    fs.writeFileSync(path.join(lite, "jupyter_lite_config.json"), JSON.stringify(config, null, 2) + "\n");
    const result = await command.run(python, ["-m", "jupyterlite_core", "build"], {
      cwd: lite,
      timeoutMs: 300_000,
    });
    if (result.code !== 0)
      throw new steps.Complaint(
        "Cannot build the site: jupyter lite build must succeed\n" + command.tail(result.output),
      );
    await writePages(root, contents, out);
    writeReading(contents, out);
    await writeViews(root, out);
    writeServiceWorker(root, out, stamp);
    fs.writeFileSync(mark, JSON.stringify({ stamp }) + "\n");
  });
  return true;
}

module.exports = { buildSite: buildSite };
