// A file of its own, since sessions need it and must not load TypeScript.

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

/**
 * The specifier under which Node finds what Deno imports by `npm:` and `jsr:`, or a page from a server of packages such as esm.sh;
 * undefined for any other specifier. The version is not looked at: what is installed counts.
 */
export function installedSpecifier(specifier: string): string | undefined {
  const found = foreignPackage(specifier);
  return found && found.name + found.path;
}

/** Advice for a specifier of Deno or of a page that cannot be imported; undefined for one that Node knows. */
export function foreignSpecifier(specifier: string): string | undefined {
  const found = foreignPackage(specifier);
  if (found) return `the package must be installed: ${installation(found)}`;
  const address = /^https?:\/\/(.*)$/.exec(specifier)?.[1];
  if (address === undefined) return undefined;
  const [, std] = /^deno\.land\/std(?:@[^/]+)?\/([\w-]+)\//.exec(address) ?? [];
  if (std !== undefined) {
    const name = std.replaceAll("_", "-");
    const instead = { name: jsrName("@std", name), version: "", path: "", options: jsrRegistry };
    return `Node loads nothing from an address: import it from "jsr:@std/${name}", after ${installation(instead)}`;
  }
  const file = /\/([\w.-]+\.[cm]?[jt]sx?|[\w.-]+\.json)$/.exec(address)?.[1];
  const kept =
    file === undefined ? "" : `, or keep the file: !curl -LO ${specifier} and import it from "./${file}"`;
  return `Node loads nothing from an address: install its package (%install name) and import it by that name${kept}`;
}

const installation = ({ name, version, options }: ForeignPackage): string =>
  `%install ${name}${version}${options === undefined ? "" : ` ${options}`}`;

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
