"use strict";
// The pages without a cell: each is one view of src/views, bundled with the part of the library that it needs.

const fs = require("fs");
const path = require("path");
const { bundle } = require("./bundles.cjs");
const { page } = require("./page.cjs");
const { writeRules } = require("./rules/write.cjs");

/** The views that have a page, each with its folder in src/views, which is its address, too. */
const views = {
  unlearn: {
    title: "The bandit that GRPO unlearns",
    text: "A slot machine is worth more than a salary, and GRPO learns to take the salary. See why, exactly, with two sliders.",
  },
  board: {
    title: "The board of the update rules",
    style: "rules.css",
    text: "Change one field of GRPO, PPO or any of 70 rules, train it here on twenty seeds in three worlds, and see its place among all the others.",
  },
};

function viewPage(name, { title, text, style }) {
  return page({
    title,
    up: "../",
    description: text,
    main: `<main class="view">
<p class="small"><a href="../">turnwise</a></p>
<link rel="stylesheet" href="../views.css">${style === undefined ? "" : `\n<link rel="stylesheet" href="../${style}">`}
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
  for (const name of ["style.css", "views.css", "rules.css"])
    fs.copyFileSync(path.join(css, name), path.join(out, name));
  const sizes = {};
  for (const [name, about] of Object.entries(views)) {
    const folder = path.join(out, name);
    fs.mkdirSync(folder, { recursive: true });
    const entry = path.join(root, "site", "src", "views", name, "page.ts");
    sizes[name] = (await bundle({ entry, outfile: path.join(folder, `${name}.js`), format: "esm" })).bytes;
    fs.writeFileSync(path.join(folder, "index.html"), viewPage(name, about));
  }
  const rules = await writeRules(root, out, { hasPlay: Object.hasOwn(views, "play") });
  return { ...sizes, ...rules };
}

module.exports = { views: views, writeViews: writeViews };
