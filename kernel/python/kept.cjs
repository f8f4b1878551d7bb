"use strict";
// Which files of other people's packages the wheel holds: those that Node or the type service can read. The rest is two thirds.

const fs = require("node:fs");
const path = require("node:path");

/** Sources, maps, tests and notes, in any package. */
const dropped = [
  /\.map$/,
  /(?<!\.d)\.[cm]?ts$/,
  /\.tsx$/,
  /\.(?:cc|h|hh|cpp|gyp|gypi|tsbuildinfo|flow|htm|yml|yaml)$/,
  /(^|\/)(?!licen[cs]e|notice|copying)[^/]*\.(?:md|markdown)$/i,
  /(^|\/)(?:\.yarn|\.github|\.vscode|coverage)\//,
  /[._]test\.(?:js|d\.ts)$/,
];

/**
 * Of large packages, what is kept beside package.json and licenses, or what is dropped, in the words of their authors' layouts. A file
 * that only browsers or bundlers read is not read here.
 */
const large = {
  "cmake-ts": { keep: [/^build\/loader\.(?:m?js|d\.ts)$/] },
  fontkit: { keep: [/^dist\/(?:main\.cjs|module\.mjs)$/] },
  katex: { keep: [/^dist\/katex\.(?:m?js|css)$/, /^types\//, /\.d\.ts$/] },
  "markdown-it": { drop: [/^dist\/markdown-it/] },
  pdfkit: { drop: [/^js\/pdfkit\.(?:standalone|browser)/] },
  "svg-to-pdfkit": { keep: [/^source\.js$/] },
  // Its other way to check types is npm's to install: it brings a third of what the wheel weighs.
  tslab: { keep: [/^dist\/inspect\.js$/] },
  typescript: {
    drop: [
      /^lib\/[a-z]{2}(?:-[a-z]{2})?\//i,
      /^lib\/(?:_tsc|tsc|_tsserver|tsserver|_typingsInstaller|typingsInstaller|watchGuard|typesMap)\./,
      /^bin\//,
    ],
  },
  vega: { drop: [/^build-es5\//, /^build\/vega(?:-core)?(?:\.min)?\.js$/, /^src\//] },
  "vega-lite": {
    drop: [
      /^src\//,
      /^build\/vega-lite\.min\.js$/,
      /^build\/src\/.*\.js$/,
      /^build\/vega-lite-schema\.json$/,
      /^examples\//,
      /^site\//,
    ],
  },
};

/** Packages of which so little is kept that it needs no others. */
const needsNothing = ["cmake-ts", "tslab"];

/** Packages that others need only when they are compiled. */
const unneeded = ["node-addon-api"];

const always = /(^|\/)(?:package\.json|[^/]*(?:licen[cs]e|notice|copying)[^/]*)$/i;

/** ZeroMQ's builds are for every system, and for old versions of Node, which the kernel does not run on. */
function zeromqBuilds(folder) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "build", "manifest.json"), "utf8"));
  const kept = Object.entries(manifest)
    .filter(([config]) => {
      const { abi, arch } = JSON.parse(config);
      return abi >= 115 && arch !== "ia32";
    })
    .map(([, file]) => "build/" + file.replaceAll("\\", "/"));
  return (file) => !file.endsWith(".node") || kept.includes(file);
}

/** Whether a file of a package goes into the wheel, by its path in the package. */
function keeps(name, folder) {
  const { keep, drop = [] } = Object.hasOwn(large, name) ? large[name] : {};
  const builds = name === "zeromq" ? zeromqBuilds(folder) : () => true;
  const matches = (patterns, file) => patterns.some((pattern) => pattern.test(file));
  return (file) =>
    always.test(file) ||
    (!matches(dropped, file) &&
      !matches(drop, file) &&
      (keep === undefined || matches(keep, file)) &&
      builds(file));
}

module.exports = { keeps, needsNothing, unneeded };
