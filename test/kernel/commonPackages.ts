import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { plain, streamText } from "./with-kernel.js";

/** Some of npm's most used packages that work without install scripts, by name: more than two hundred. */
export const commonPackages: readonly string[] =
  `semver debug ms chalk lodash tslib commander minimatch glob inherits safe-buffer readable-stream supports-color ansi-styles
strip-ansi string-width color-convert color-name has-flag escape-string-regexp brace-expansion balanced-match lru-cache yallist yargs
yargs-parser cliui y18n wrap-ansi emoji-regex is-fullwidth-code-point rimraf mkdirp once wrappy inflight path-is-absolute concat-map
fs.realpath graceful-fs fs-extra universalify jsonfile uuid nanoid qs express body-parser cookie cors helmet morgan dotenv axios
node-fetch got form-data follow-redirects proxy-from-env mime mime-types mime-db accepts negotiator bytes iconv-lite safer-buffer depd
statuses http-errors setprototypeof toidentifier on-finished ee-first unpipe raw-body content-type type-is media-typer vary etag fresh
range-parser parseurl send serve-static finalhandler encodeurl escape-html path-to-regexp merge-descriptors methods ws socket.io-client
engine.io-parser rxjs zod ajv ajv-formats fast-deep-equal json-schema-traverse fast-json-stable-stringify uri-js yup joi react react-dom
scheduler redux immer reselect zustand jotai valtio mobx prop-types react-is classnames clsx moment dayjs date-fns luxon typescript
acorn acorn-walk esprima estraverse esutils escodegen @babel/parser @babel/types @babel/traverse @babel/code-frame js-tokens magic-string
source-map source-map-js postcss picocolors picomatch micromatch fast-glob braces fill-range to-regex-range is-number is-glob is-extglob
anymatch chokidar readdirp globby ignore merge2 js-yaml yaml toml ini argparse sprintf-js csv-parse papaparse cheerio domhandler
htmlparser2 entities parse5 css-select nth-check marked markdown-it handlebars mustache ejs pug nunjucks inquirer ora prompts cli-cursor
execa cross-spawn which isexe shebang-regex path-key signal-exit npm-run-path p-limit p-locate p-try p-queue p-map eventemitter3 async
bluebird q through2 through split2 pump end-of-stream duplexify bl buffer ieee754 base64-js long bn.js big.js decimal.js bignumber.js
mathjs d3 d3-array d3-scale d3-shape three gl-matrix ramda underscore effect fp-ts io-ts neverthrow jsonwebtoken jose bcryptjs crypto-js
pino winston logform triple-beam colors kleur ansi-colors cli-table3 boxen figures log-symbols graphql openai @langchain/core
reflect-metadata inversify tsyringe class-validator class-transformer validator slugify pluralize change-case camelcase object-assign
extend deepmerge defu destr ohash pathe ufo hookable zx`
    .split(/\s+/)
    .filter((name, i, all) => name !== "" && all.indexOf(name) === i);

/** What a value is, in a line: for an object with its names, in order. As a text, as it runs in a cell and in Node. */
const kindOf = `const kindOf = (value) => {
  if (value === null) return "null";
  if (typeof value !== "object" && typeof value !== "function") return typeof value;
  const names = Object.keys(value).sort().join();
  return (Array.isArray(value) ? "array" : typeof value) + (typeof value === "function" ? " " + value.length : "") + " {" + names + "}";
};`;

/** What a module gives, by the names that Node tells. */
type Kinds = Readonly<Record<string, string>>;

const mark = "\u0000";

/** A flag of compilers, which Node's namespaces have and a cell does not need. */
const flag = "__esModule";

/** What Node gives for each package in a folder; a sentence for one that it cannot import. */
function inNode(folder: string, packages: readonly string[]): Record<string, Kinds | string> {
  const file = join(folder, "reference.mjs");
  writeFileSync(
    file,
    `import { writeSync } from "node:fs";
${kindOf}
const found = {};
for (const name of ${JSON.stringify(packages)}) {
  try {
    const module = await import(name);
    found[name] = Object.fromEntries(Object.keys(module).filter((key) => key !== ${JSON.stringify(flag)}).map((key) => [key, kindOf(module[key])]));
  } catch (error) { found[name] = String(error?.message ?? error); }
}
const text = ${JSON.stringify(mark)} + JSON.stringify(found);
for (let at = 0; at < text.length; at += 60_000) writeSync(1, text.slice(at, at + 60_000));
process.exit(0);`,
  );
  const text = execFileSync(process.execPath, [file], {
    encoding: "utf8",
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(text.slice(text.indexOf(mark) + 1)) as Record<string, Kinds | string>;
}

const isName = (key: string): boolean =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) && key !== "default";

/** A cell that imports a package as a default, as a namespace and by each of its names. */
function cellOf(name: string, kinds: Kinds): string {
  const from = JSON.stringify(name);
  const names = Object.keys(kinds).filter(isName);
  const named = names.map((key, i) => `${key} as own${i}`).join(", ");
  return `// @ts-nocheck
import * as whole from ${from};
${"default" in kinds ? `import main from ${from};` : "const main = undefined;"}
${names.length > 0 ? `import { ${named} } from ${from};` : ""}
{
  ${kindOf}
  const all = Object.fromEntries(${JSON.stringify(Object.keys(kinds))}.map((key) => [key, key in whole ? kindOf(whole[key]) : "absent"]));
  const named = { ${names.map((key, i) => `${JSON.stringify(key)}: kindOf(own${i})`).join(", ")} };
  const same = ${"default" in kinds ? "main === whole.default" : "true"};
  console.log(${JSON.stringify(mark)} + JSON.stringify({ all, named, same, main: kindOf(main) }));
}`;
}

/** How many packages were compared, what differs by package, and what Node itself could not import. */
export interface Comparison {
  readonly compared: number;
  readonly differences: readonly string[];
  readonly notInNode: readonly string[];
}

/** Imports packages in cells and in Node, and compares what each gives. */
export async function compareImports(
  kernel: KernelClient,
  folder: string,
  packages: readonly string[],
): Promise<Comparison> {
  const differences: string[] = [];
  const notInNode: string[] = [];
  for (const [name, kinds] of Object.entries(inNode(folder, packages))) {
    if (typeof kinds === "string") {
      notInNode.push(`${name}: ${kinds}`);
      continue;
    }
    const result = await kernel.execute(cellOf(name, kinds));
    const text = streamText(result);
    if (result.status !== "ok" || !text.includes(mark)) {
      differences.push(`${name}: ${plain(result.error?.traceback).slice(0, 300)}`);
      continue;
    }
    const found = JSON.parse(text.slice(text.indexOf(mark) + 1)) as Record<"all" | "named", Kinds> & {
      same: boolean;
      main: string;
    };
    const told = (way: string, key: string, is: string | undefined): void => {
      if (is !== kinds[key]) differences.push(`${name}, ${way} ${key}: ${is}, in Node ${kinds[key]}`);
    };
    for (const key of Object.keys(kinds)) told("in the namespace", key, found.all[key]);
    for (const key of Object.keys(kinds).filter(isName)) told("by name", key, found.named[key]);
    if ("default" in kinds) told("imported as", "default", found.main);
    if (!found.same) differences.push(`${name}: its default is not that of its namespace`);
  }
  return { compared: packages.length - notInNode.length, differences, notInNode };
}
