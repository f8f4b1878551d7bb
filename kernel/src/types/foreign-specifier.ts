// A file of its own, since sessions need it and must not load TypeScript.
import { nodeFor, npmFor, packageFor } from "./deno-modules.js";

/** A package as a specifier of Deno or an address names it. */
interface ForeignPackage {
  /** Name under which npm installs it. */
  readonly name: string;
  /** `@4`, or nothing. */
  readonly version: string;
  /** `/fp`, or nothing. */
  readonly path: string;
  /** Options without which npm does not find it. */
  readonly options?: string;
}

/** Registry in which npm finds the packages of JSR. */
const jsrRegistry = "--@jsr:registry=https://npm.jsr.io";

/** Folders of a package that hold its own files in another form, and no module beside it. */
const builtFolder = /^\/(?:dist|build|umd|cjs|esm?|bundles?|es20\d\d|esnext|deno(?:next)?|node)\//;

/** Module of the session with what `https://deno.land/x/display/mod.ts` exports, which notebooks used before Deno could display. */
export const denoDisplay = "turnwise-deno-display";

/**
 * The specifier under which Node finds what Deno imports by `npm:` and `jsr:`, or a page from a server of packages such as esm.sh;
 * undefined for any other specifier. What is installed counts, whatever the version; `otherVersion` tells the difference.
 */
export function installedSpecifier(specifier: string): string | undefined {
  if (/^https:\/\/deno\.land\/x\/display(?:@[^/]+)?\/mod\.ts$/.test(specifier)) return denoDisplay;
  const found = foreignPackage(specifier);
  return found && found.name + found.path;
}

/** Advice for a specifier of Deno or of a page that cannot be imported; undefined for one that Node knows. */
export function foreignSpecifier(specifier: string): string | undefined {
  const found = foreignPackage(specifier);
  if (found) return `the package must be installed: ${installation(found)}${orOther(found)}`;
  const address = /^https?:\/\/(.*)$/.exec(specifier)?.[1];
  if (address === undefined) return undefined;
  const [, std] = /^deno\.land\/std(?:@[^/]+)?\/([\w-]+)\//.exec(address) ?? [];
  if (std !== undefined) {
    const name = std.replaceAll("_", "-");
    const instead = { name: jsrName("@std", name), version: "", path: "", options: jsrRegistry };
    return `Node loads nothing from an address: import it from "jsr:@std/${name}", after ${installation(instead)}${orOther(instead)}`;
  }
  const [, third] = /^deno\.land\/x\/(\w+)/.exec(address) ?? [];
  const known = third === undefined ? undefined : packageFor(third);
  if (known !== undefined)
    return `Node loads nothing from an address: import from "${known}" instead, after %install ${known}; its exports may have other names`;
  const file = /\/([\w.-]+\.[cm]?[jt]sx?|[\w.-]+\.json)$/.exec(address)?.[1];
  const kept =
    file === undefined ? "" : `, or keep the file: !curl -LO ${specifier} and import it from "./${file}"`;
  return `Node loads nothing from an address: install its package (%install name) and import it by that name${kept}`;
}

/** The command and the specifier for a name of Deno's standard library as `deno.json` maps it; undefined for any other package. */
export function denoStandard(name: string): string | undefined {
  // Of npm, and older than Deno.
  if (!name.startsWith("@std/") || name === "@std/esm") return undefined;
  const found = jsrPackage(name);
  return (
    found && `Install it from JSR: ${installation(found)}, and import it from "jsr:${name}"${orOther(found)}`
  );
}

/**
 * Why the installed version is not what the specifier asks for; undefined if it is, and for words and ranges that only npm reads
 * (`@latest`, `@>=4 <6`).
 */
export function otherVersion(specifier: string, installed: string): string | undefined {
  const { name, version } = foreignPackage(specifier) ?? {};
  const [, sign, asked] = /^@([~^=v]?)(\d+(?:\.\d+){0,2})$/.exec(version ?? "") ?? [];
  const have = /^\d+\.\d+\.\d+/.exec(installed)?.[0].split(".").map(Number);
  if (name === undefined || asked === undefined || !have) return undefined;
  const want = asked.split(".").map(Number);
  // What must be the same: of ^, all up to the first number that is not 0; of ~, the first two.
  const leading = want.findIndex((one) => one > 0);
  const same = sign === "^" ? (leading < 0 ? want.length : leading + 1) : sign === "~" ? 2 : want.length;
  const differs = want.findIndex((one, i) => one !== have[i]);
  if (differs < 0 || (differs >= same && have[differs]! > want[differs]!)) return undefined;
  return `${specifier} is ${name} ${installed} here, the version that is installed. To get the other: %install ${name}${version}`;
}

const installation = ({ name, version, options }: ForeignPackage): string =>
  `%install ${name}${version}${options === undefined ? "" : ` ${options}`}`;

/** Words about the part of Node or the package of npm that does the same and can be had without JSR. */
function orOther({ name }: ForeignPackage): string {
  const [, scope, own] = /^@jsr\/([^_]+(?:_[^_]+)*)__(.*)$/.exec(name) ?? [];
  if (scope === undefined || own === undefined) return "";
  const ofNode = scope === "std" ? nodeFor(own) : undefined;
  if (ofNode !== undefined) return `, or use what Node has: ${ofNode}`;
  const ofNpm = npmFor(`@${scope}/${own}`);
  return ofNpm === undefined ? "" : `, or %install ${ofNpm}, which does the same, and import from "${ofNpm}"`;
}

function foreignPackage(specifier: string): ForeignPackage | undefined {
  const [, scheme, rest] = /^(npm|jsr):\/?(.+)$/.exec(specifier) ?? [];
  if (rest !== undefined) return scheme === "npm" ? packageOf(rest) : jsrPackage(rest);
  const [, server, path] = /^https?:\/\/([^/]+)\/([^?#]+)/.exec(specifier) ?? [];
  if (server === undefined || path === undefined) return undefined;
  const within = servers[server]?.(path);
  if (within === undefined) return undefined;
  if (within.startsWith("jsr/")) return jsrPackage(within.slice("jsr/".length));
  const found = packageOf(within);
  return found && { ...found, path: modulePath(found) };
}

/** Servers of npm's packages: the package in a path of theirs; undefined for a path to anything else. */
const servers: Record<string, (path: string) => string | undefined> = {
  // A star keeps dependencies out; `stable` and `v135` name a build, `&` begins an option.
  "esm.sh": (path) =>
    named(
      path
        .replace(/^(?:stable|v\d+)\//, "")
        .replace(/^\*/, "")
        .replace(/&[^/]*/, ""),
    ),
  "cdn.skypack.dev": (path) =>
    named(path.replace(/^pin\/((?:@[^/]+\/)?[^/]+)\/.*$/, "$1").replace(/^-\//, "")),
  "cdn.jsdelivr.net": ofNpm,
  "fastly.jsdelivr.net": ofNpm,
  "esm.run": named,
  "unpkg.com": named,
  "esm.unpkg.com": named,
  "jspm.dev": (path) => named(path.replace(/^npm:/, "")),
  // The standard library, before JSR had it; most of its files have other names there.
  "deno.land": (path) => {
    const [, name] = /^std(?:@[^/]+)?\/([\w-]+)\/mod\.ts$/.exec(path) ?? [];
    return name === undefined ? undefined : `jsr/@std/${name.replaceAll("_", "-")}`;
  },
  // JSR's own: `@std/csv/1.0.5/parse.ts`, whose folders below the version are the module's names.
  "jsr.io": (path) => {
    const [, name, version, file = ""] = /^(@[^/]+\/[^/@]+)(?:\/v?(\d[^/]*))?(\/.*)?$/.exec(path) ?? [];
    if (name === undefined) return undefined;
    const module = file.replace(/\.[cm]?[jt]sx?$/, "").replace(/^\/(?:mod|index|main)?$/, "");
    return `jsr/${name}${version === undefined ? "" : `@${version}`}${module}`;
  },
  "ga.jspm.io": (path) => (path.startsWith("npm:") ? path.slice("npm:".length) : undefined),
};

/** Sources that such servers offer besides npm's packages. */
function named(path: string): string | undefined {
  return /^(?:gh|pr|gist|tx)\//.test(path) ? undefined : path;
}

function ofNpm(path: string): string | undefined {
  return path.startsWith("npm/") ? path.slice("npm/".length) : undefined;
}

function packageOf(text: string): ForeignPackage | undefined {
  const [, name, version = "", path = ""] = /^((?:@[^/@]+\/)?[^/@]+)(@[^/]*)?(\/.*)?$/.exec(text) ?? [];
  return name === undefined ? undefined : { name, version, path: path === "/" ? "" : path };
}

function jsrPackage(text: string): ForeignPackage | undefined {
  const found = packageOf(text);
  const [, scope, name] = /^(@[^/]+)\/(.+)$/.exec(found?.name ?? "") ?? [];
  if (!found || scope === undefined || name === undefined) return undefined;
  return { ...found, name: jsrName(scope, name), options: jsrRegistry };
}

/** JSR's own name of a package in npm's form. */
const jsrName = (scope: string, name: string): string => `@jsr/${scope.slice(1)}__${name}`;

/** An address names a file; Node asks for the package, or for a module beside its main one. */
function modulePath({ name, path }: ForeignPackage): string {
  const base = name.split("/").at(-1)!.replace(/\.js$/, "");
  const [, stem] = /^\/(?:src\/)?([\w.-]+?)(?:\.(?:min|module|esm|umd|bundle))*\.[cm]?js$/.exec(path) ?? [];
  const isMain = path === "/+esm" || builtFolder.test(path) || stem === base || stem === "index";
  return isMain ? "" : path.replace(/\/\+esm$/, "");
}
