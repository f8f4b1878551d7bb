"use strict";
// The pages without a cell: each is one view of src/views, bundled with the part of the library that it needs.

const fs = require("fs");
const path = require("path");
const { bundle } = require("./bundles.cjs");
const { page } = require("./page.cjs");
const { writeDoctorParts } = require("./views/doctor.cjs");
const { writeForecastParts } = require("./views/forecast.cjs");

/** The browser itself refuses to send anything from such a page, or to run what is in a text. */
const sendsNothing =
  "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'none'; form-action 'none'; base-uri 'none'";

/** The views that have a page, each with its folder in src/views, which is its address, too. */
const views = {
  unlearn: {
    title: "The bandit that GRPO unlearns",
    text: "A slot machine is worth more than a salary, and GRPO learns to take the salary. See why, exactly, with two sliders.",
  },
  doctor: {
    title: "What broke in this training run?",
    text: "Drop the log of a training run: what happened, the likeliest cause, and the setting to change. Nothing is sent anywhere.",
    policy: sendsNothing,
    parts: writeDoctorParts,
  },
  forecast: {
    title: "Does it fall?",
    text: "Sixty updates of a real training run: bet whether it falls, ten times, against the alarms that watch such runs.",
    parts: writeForecastParts,
  },
};

function viewPage(name, { title, text, policy }) {
  return page({
    title,
    up: "../",
    policy,
    description: text,
    main: `<main class="view">
<p class="small"><a href="../">turnwise</a></p>
<link rel="stylesheet" href="../views.css">
<p id="refused" role="alert" hidden></p>
<div id="view"><h1>${title}</h1><p>${text}</p><noscript><p>This page computes what it shows, which needs scripts.</p></noscript></div>
<script type="module" src="${name}.js"></script>
</main>`,
  });
}

/** Writes every view as a page of the site; gives each one's size in bytes. */
async function writeViews(root, out) {
  fs.mkdirSync(out, { recursive: true });
  const css = path.join(root, "site", "static");
  for (const name of ["style.css", "views.css"]) fs.copyFileSync(path.join(css, name), path.join(out, name));
  const sizes = {};
  for (const [name, about] of Object.entries(views)) {
    const folder = path.join(out, name);
    fs.mkdirSync(folder, { recursive: true });
    const entry = path.join(root, "site", "src", "views", name, "page.ts");
    sizes[name] = (await bundle({ entry, outfile: path.join(folder, `${name}.js`), format: "esm" })).bytes;
    if (about.parts) await about.parts(folder);
    fs.writeFileSync(path.join(folder, "index.html"), viewPage(name, about));
  }
  return sizes;
}

module.exports = { views: views, writeViews: writeViews };
