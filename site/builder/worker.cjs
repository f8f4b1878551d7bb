"use strict";
// Puts the site's service worker instead of JupyterLite's, and has every application start with it.

const fs = require("fs");
const path = require("path");
const { writeFirstFiles } = require("./first.cjs");
const { views } = require("./views.cjs");

const folders = ["lab", "notebooks", "tree", "edit"];
/** Files kept for a reader without a network, besides all that was opened. */
const lessons =
  /^lessons\/|^files\/(notebooks\/(\d\d-|exercises\/|appendix\/).*\.ipynb|datasets\/(logs|tasks|papers|trajectories|measured)\/.*)$/;
const kernel = /^extensions\/turnwise-kernel\/static\//;
const listings = /^api\/contents\//;
/** The first page and the pages without a cell, with all that they load; a view's module for notebooks is no part of its page. */
const pages = new RegExp(
  `^(index\\.html|isolate\\.js|front\\.js|search\\.json|pictures/.*\\.svg|(${Object.keys(views).join("|")})/(?!widget\\.js$).*|` +
    `(style|views|rules|front)\\.css|extensions/turnwise-kernel/static/logo-64x64\\.png)$`,
);

/**
 * The files that a service worker keeps for a reader without a network: `pages`, which the first page has it keep, and all
 * `files`, these included, once a notebook was opened.
 */
function offlineFiles(out) {
  const files = [...walk(out)].filter((name) =>
    [lessons, kernel, listings, pages].some((kind) => kind.test(name)),
  );
  return { pages: files.filter((name) => pages.test(name)), files };
}

function* walk(folder, below = "") {
  for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below ? below + "/" + entry.name : entry.name;
    if (entry.isDirectory()) yield* walk(folder, name);
    else yield name;
  }
}

/** JupyterLite's version, as its pages know it. */
function liteVersion(out) {
  return JSON.parse(fs.readFileSync(path.join(out, "jupyter-lite.json"), "utf8"))["jupyter-config-data"]
    .appVersion;
}

/** Script that reports in words that a browser is too old, where it would show a blank page. */
const supportedCheck = (root) =>
  "<script>\n" + fs.readFileSync(path.join(root, "site", "static", "supported.js"), "utf8") + "</script>\n";

/** `stamp` changes with the site, so that browsers notice a new one. */
function writeServiceWorker(root, out, stamp) {
  const site = path.join(root, "site", "static");
  const isolate = fs.readFileSync(path.join(site, "isolate.js"), "utf8");
  fs.writeFileSync(path.join(out, "isolate.js"), isolate.replace("JUPYTERLITE_VERSION", liteVersion(out)));
  const check = supportedCheck(root);
  const narrow = "<style>\n" + fs.readFileSync(path.join(site, "narrow.css"), "utf8") + "</style>\n";
  for (const folder of folders) {
    const file = path.join(out, folder, "index.html");
    const text = fs.readFileSync(file, "utf8");
    if (!text.includes("await import("))
      throw new Error("Cannot isolate " + folder + ": its page must load config-utils.js.");
    const changed = text
      .replace(
        "<head>",
        () =>
          '<head>\n<link rel="icon" href="../extensions/turnwise-kernel/static/logo-64x64.png">\n' + check,
      )
      .replace("</head>", () => narrow + "</head>")
      .replace("await import(", 'await import("../isolate.js");\n        await import(')
      // Loaded by the script itself, once the page is the one that stays.
      .replace(/rel="preload" (href="[^"]*bundle)/, 'rel="prefetch" $1');
    fs.writeFileSync(file, changed);
  }
  const lite = fs.readFileSync(path.join(out, "service-worker.js"), "utf8");
  const worker = fs.readFileSync(path.join(site, "service-worker.js"), "utf8");
  const parts = { SITE_STAMP: stamp, FIRST_FILES: JSON.stringify(writeFirstFiles(out, stamp)) };
  const ours = worker.replace(/SITE_STAMP|FIRST_FILES/g, (name) => parts[name]);
  // In one script, as a browser would ask for a second one after the first.
  const whole = ours + "(() => {\n" + lite + "\n})();\n";
  fs.writeFileSync(path.join(out, "service-worker.js"), whole);
  fs.writeFileSync(path.join(out, "offline.json"), JSON.stringify(offlineFiles(out)) + "\n");
}

module.exports = {
  offlineFiles: offlineFiles,
  supportedCheck: supportedCheck,
  writeServiceWorker: writeServiceWorker,
};
