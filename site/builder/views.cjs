"use strict";
// The pages without a cell: each is one view of src/views, bundled with the part of the library that it needs.

const fs = require("fs");
const os = require("os");
const path = require("path");
const esbuild = require("esbuild");
const { bundle } = require("./bundles.cjs");
const { withoutTensors } = require("./library.cjs");
const { page } = require("./page.cjs");
const { writeRules } = require("./rules/write.cjs");
const { writeDoctorParts } = require("./views/doctor.cjs");
const { writeForecastParts } = require("./views/forecast.cjs");

/** The browser itself refuses to send anything from such a page, or to run what is in a text. */
const sendsNothing =
  "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'none'; form-action 'none'; base-uri 'none'";

/**
 * The views that have a page, each with its folder in src/views, which is its address, too. Its heading changes with what it shows, so
 * that its name is above. A view's module for notebooks brings `data`
 * along, which its page asks for.
 */
const views = {
  play: {
    title: "Playground",
    name: "Playground",
    text: "Train agents in the page with any of the update rules, change one field or one number, and see each curve against the exact optimum.",
    isWide: true,
    /** Facts that the page needs of the library, by the name of the constant; it holds no library. */
    facts: { name: "PLAY_CATALOG", file: "makeCatalog.ts", maker: "makeCatalog" },
  },
  film: {
    title: "One batch, sixteen passes",
    name: "One batch, sixteen passes",
    text: "An agent trains sixteen times on one batch. It learns its tool in five such passes, and forgets it by the twelfth. Drag the clip that holds it.",
  },
  unlearn: {
    title: "The bandit that GRPO unlearns",
    name: "The bandit that GRPO unlearns",
    text: "A slot machine is worth more than a salary, and GRPO, the usual rule, learns to take the salary. See why, exactly, with three sliders.",
  },
  forecast: {
    title: "Does it fall?",
    name: "Forecast",
    text: "Sixty updates of a real training run: bet whether it falls, ten times, against the alarms that watch such runs.",
    parts: writeForecastParts,
    data: "runs.json",
  },
  doctor: {
    title: "What broke in this training run?",
    name: "Doctor",
    text: "Drop the log of a training run: what happened, the likeliest cause, and the setting to change. Nothing is sent anywhere.",
    policy: sendsNothing,
    parts: writeDoctorParts,
  },
  board: {
    title: "The board of the update rules",
    name: "The board of the update rules",
    style: "rules.css",
    data: "board.json",
    text: "Change one field of GRPO, PPO or any other rule, train it here on twenty seeds in three worlds, and see its place among all the others.",
  },
};

/** Every page without a cell, those that writeRules makes included: what the first page lists, and what is kept for readers offline. */
const listed = {
  ...views,
  rules: {
    title: "Map of the update rules",
    text: "GRPO, PPO, DAPO, GSPO and their relatives: the rules next to each other, and a page for each with its equation, source, curve and flags.",
  },
};

function viewPage(folder, { title, name, text, style, isWide, policy }) {
  return page({
    title,
    up: "../",
    policy,
    description: text,
    main: `<main class="view${isWide ? " wide" : ""}">
<nav class="small" aria-label="Breadcrumb"><a href="../">turnwise</a> › ${name}</nav>
<link rel="stylesheet" href="../views.css">${style === undefined ? "" : `\n<link rel="stylesheet" href="../${style}">`}
<p id="refused" role="alert" hidden></p>
<div id="view"><h1>${title}</h1><p>${text}</p><noscript><p>This page computes what it shows, which needs scripts.</p></noscript></div>
<script type="module" src="${folder}.js"></script>
</main>`,
  });
}

/** The constants of a view that are made when the page is built, as esbuild defines them. */
async function factsOf(folder, facts, plugins) {
  if (!facts) return {};
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-facts-"));
  const outfile = path.join(made, "facts.cjs");
  await bundle({ entry: path.join(folder, facts.file), outfile, format: "cjs", plugins });
  try {
    return { [facts.name]: JSON.stringify(require(outfile)[facts.maker]()) };
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

/** The pages' style sheets for a view in a notebook: they hold for its own root, and its width is that of a cell. */
async function notebookCss(css, more = []) {
  const texts = ["style.css", "views.css", ...more].map((name) =>
    fs.readFileSync(path.join(css, name), "utf8"),
  );
  const scoped = texts
    .join("\n")
    .replace(/^(?::root|body) \{/gm, ":host {")
    .replaceAll("@media (max-width:", "@container (max-width:");
  const own = ":host { display: block; padding: 0.75rem; container-type: inline-size }";
  const { code } = await esbuild.transform(`${scoped}\n${own}`, { loader: "css", minify: true });
  return JSON.stringify(code);
}

/** Writes every view as a page of the site; gives each one's size in bytes. */
async function writeViews(root, out) {
  fs.mkdirSync(out, { recursive: true });
  const css = path.join(root, "site", "static");
  for (const name of ["style.css", "views.css", "rules.css"])
    fs.copyFileSync(path.join(css, name), path.join(out, name));
  const sources = path.join(root, "site", "src", "views");
  const plugins = [withoutTensors(path.join(sources, "shared", "noTensors.ts"))];
  // They hold the data of the board, which its module for notebooks brings along.
  const rules = await writeRules(root, out, {
    hasPlay: Object.hasOwn(views, "play"),
    css: await notebookCss(css, ["rules.css"]),
  });
  const sizes = {};
  for (const [name, about] of Object.entries(views)) {
    const folder = path.join(out, name);
    fs.mkdirSync(folder, { recursive: true });
    const source = path.join(sources, name);
    const define = await factsOf(source, about.facts, plugins);
    const script = { outfile: path.join(folder, `${name}.js`), format: "esm", define, plugins };
    sizes[name] = (await bundle({ entry: path.join(source, "page.ts"), ...script })).bytes;
    const entry = path.join(source, "worker.ts");
    if (fs.existsSync(entry) && !about.parts)
      await bundle({ entry, outfile: path.join(folder, "worker.js"), format: "esm", plugins });
    if (about.parts) await about.parts(folder);
    const notebook = path.join(source, "notebook.ts");
    if (fs.existsSync(notebook)) {
      const worker = path.join(folder, "worker.js");
      const carried = {
        VIEW_CSS: await notebookCss(css, about.style === undefined ? [] : [about.style]),
        ...(fs.existsSync(worker) && { VIEW_WORKER: JSON.stringify(fs.readFileSync(worker, "utf8")) }),
        ...(about.data && { VIEW_DATA: fs.readFileSync(path.join(folder, about.data), "utf8") }),
      };
      const outfile = path.join(folder, "widget.js");
      await bundle({ ...script, entry: notebook, outfile, define: { ...define, ...carried } });
    }
    fs.writeFileSync(path.join(folder, "index.html"), viewPage(name, about));
  }
  return { ...sizes, ...rules };
}

module.exports = { views: listed, writeViews: writeViews };
