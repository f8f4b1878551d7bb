import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Magic, MagicHost } from "./contract.js";
import { runCommand } from "./command.js";

const quiet = "--no-audit --no-fund --no-update-notifier --loglevel=error";
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** `%install`: packages of npm, into the notebook's folder. */
export const install: Magic = {
  name: "install",
  forms: ["line"],
  usage: ["%install package[@version] ... [options of npm]"],
  about:
    "Installs packages with npm into the notebook's folder, with their types; the next cell can import them.",
  more:
    "For a package without types, it also installs those of `@types`, if there are any. Words that begin with `-`, such as " +
    "`--ignore-scripts`, go to npm. A version that a cell has already imported stays until the kernel restarts.",
  example: "%install lodash@4",
  words: ["--ignore-scripts", "--save-dev"],
  check: ({ rest }) => void asked(rest),
  async run({ rest }, host) {
    const { packages, options } = asked(rest);
    await npm([...options, ...packages], host);
    const untyped = packages.map(nameOf).filter((name) => !bringsTypes(name, host.folder));
    const typed = untyped.map((name) => `@types/${name.replace(/^@(.*)\//, "$1__")}`);
    for (const types of typed) {
      // Not every package has them, and a notebook runs without.
      await npm([...options, "--save-dev", types], { ...host, print: () => undefined }).catch(
        () => undefined,
      );
    }
    const found = typed.filter((name) => existsSync(join(host.folder, "node_modules", name)));
    const also = found.length > 0 ? `, with ${found.join(", ")}` : "";
    host.print(`Installed ${packages.map(nameOf).join(", ")} in ${host.folder}${also}\n`);
  },
};

function asked(rest: string): { packages: string[]; options: string[] } {
  const words = rest.split(/\s+/).filter((word) => word !== "");
  const packages = words.filter((word) => !word.startsWith("-")).map((word) => word.replace(/^npm:/, ""));
  if (packages.length === 0) {
    throw new RangeError(
      'Cannot install: the name of a package must follow %install, such as "%install lodash", but it is missing.',
    );
  }
  return { packages, options: words.filter((word) => word.startsWith("-")) };
}

async function npm(words: readonly string[], host: MagicHost): Promise<void> {
  const all = ["npm", "install", quiet, "--prefix", host.folder, ...words];
  const command = all.map((word) => (word === quiet ? word : quoted(word))).join(" ");
  const { code, lastWords } = await runCommand(command, host, { cwd: host.folder });
  if (code === 0) return;
  throw new Error(`Cannot install ${words.join(" ")}: ${await reason(lastWords, code, words, host)}`);
}

/** Packages whose dependencies come from other servers, and others that do the same. */
const instead: ReadonlyMap<string, string> = new Map([
  ["danfojs", "arquero or nodejs-polars"],
  ["danfojs-node", "arquero or nodejs-polars"],
]);

/** Reason for the failure, with advice. */
async function reason(
  said: string,
  code: number | null,
  words: readonly string[],
  host: MagicHost,
): Promise<string> {
  const offline = unreachable.exec(said)?.[1];
  if (offline !== undefined) {
    const [, address] = /request to (https?:\/\/\S+) failed/.exec(said) ?? [];
    const registry = await registryOf(words, host);
    if (address !== undefined && registry !== undefined && new URL(address).host !== registry) {
      const other = words.map((word) => instead.get(nameOf(word))).find((one) => one !== undefined);
      return (
        `npm must fetch ${address}, which is not in its registry, but cannot reach that server: ${offline}. ` +
        "Look at the network and at the proxy (%env HTTPS_PROXY), or " +
        (other === undefined
          ? 'name another version of it under "overrides" in package.json'
          : `use ${other}`)
      );
    }
    return (
      `npm must reach its registry: ${offline}. Look at the network, at the proxy (%env HTTPS_PROXY) and at the registry ` +
      "that npm uses (!npm config get registry)"
    );
  }
  if (/\bE404\b/.test(said)) {
    const [, absent] = /'(@?[^@'\s]+)(?:@[^']*)?' (?:could not be found|is not in)/.exec(said) ?? [];
    return absent === undefined || words.some((word) => nameOf(word) === absent)
      ? "the registry has no package of that name"
      : `the registry has no ${absent}, which it depends on`;
  }
  if (/\bETARGET\b/.test(said))
    return "the registry does not have that version, but others (!npm view <package> versions)";
  if (/not found|not recognized/.test(said) && code === 127) return "npm is not on the PATH (%env PATH)";
  if (/\b(EACCES|EPERM|EROFS)\b/.test(said)) return "the notebook's folder is not writable";
  return `npm ended with exit code ${code}`;
}

/** Server of the registry from which npm installs; undefined if npm does not say. */
async function registryOf(words: readonly string[], host: MagicHost): Promise<string | undefined> {
  const options = words.filter((word) => word.startsWith("--registry")).map(quoted);
  const command = ["npm config get registry", "--no-update-notifier", ...options].join(" ");
  const { lastWords } = await runCommand(command, { ...host, print: () => undefined }, { cwd: host.folder });
  const address = lastWords.trim().split("\n").at(-1)!;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** `lodash` of `lodash@4`, `@scope/name` of `@scope/name@next`; a folder or an archive by the name in its package.json. */
function nameOf(specifier: string): string {
  if (/^[./]|^file:/.test(specifier)) {
    const file = join(specifier.replace(/^file:/, ""), "package.json");
    return existsSync(file) ? (read(file).name ?? specifier) : specifier;
  }
  return specifier.replace(/(?<=.)@[^/]*$/, "");
}

interface Manifest {
  name?: string;
  types?: string;
  typings?: string;
  exports?: unknown;
}

function bringsTypes(name: string, folder: string): boolean {
  const at = join(folder, "node_modules", name);
  const file = join(at, "package.json");
  if (!existsSync(file)) return true;
  const { types, typings, exports } = read(file);
  if (types !== undefined || typings !== undefined || existsSync(join(at, "index.d.ts"))) return true;
  return JSON.stringify(exports ?? null).includes('"types"') || name.startsWith("@types/");
}

function read(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

function quoted(word: string): string {
  if (process.platform === "win32") return `"${word}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
