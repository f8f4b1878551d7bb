// Uses internals of turnwise-kernel/cli.
import fs from "node:fs";
import path from "node:path";
import { Writable } from "node:stream";
import * as packages from "turnwise-kernel/bootstrap/python-packages.cjs";
import { makeSite } from "turnwise-site/builder/make.cjs";
import { Complaint, report } from "turnwise-kernel/bootstrap/steps.cjs";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { projectFolders } from "turnwise-kernel/dist/cli/folders.js";
import { makeEnvironment } from "turnwise-kernel/dist/cli/jupyter/environment.js";
import { findJupyter } from "turnwise-kernel/dist/cli/jupyter/find.js";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { makeVenv } from "turnwise-kernel/dist/cli/jupyter/venv.js";
import { provideArm64 } from "./arm64.js";
import { chromiumPath } from "./chromium.js";
import { provideOtherNodes } from "./otherNodes.js";
import { root as checkout } from "./paths.js";
import {
  clientsVenv,
  hasPackages,
  notebookVenv,
  openEnvVenv,
  protocolVenv,
  trainersVenv,
  type PythonPackages,
} from "./python.js";
import { provideVsCodeWidgets } from "./vsCodeWidgets.js";
import { provideWebGpu } from "./webgpu.js";

interface Place {
  /** The checkout; default: this one. */
  readonly root: string;
  /** Where the steps are told; default: standard output. */
  readonly out?: NodeJS.WritableStream;
}

async function provideLab({ root, out }: Place): Promise<void> {
  const folders = projectFolders(root);
  if (!(await findJupyter(folders))) await makeVenv(folders, { out });
}

async function providePackages(
  list: PythonPackages,
  title: string,
  { root, out }: Place,
  folder = protocolVenv(root),
): Promise<void> {
  const there = (): Promise<boolean> => hasPackages(environmentPython(folder), packages[list]);
  if (await there()) return;
  const holds = async (): Promise<string | undefined> =>
    (await there()) ? packages[list].join(", ") : undefined;
  await makeEnvironment({ folder, title, packages: packages[list], holds }, out);
}

/** Packages that are installed without what they ask for, as kernel/bootstrap/python-packages.cjs says, after what they really need. */
async function provideAlone(
  { folder, title, needs, alone }: Alone,
  out: NodeJS.WritableStream | undefined,
): Promise<void> {
  const python = environmentPython(folder);
  if (await hasPackages(python, [...needs, ...alone])) return;
  const holds = async (): Promise<string | undefined> =>
    (await hasPackages(python, needs)) ? needs.join(", ") : undefined;
  await makeEnvironment({ folder, title, packages: needs, holds }, out);
  const words = ["-m", "pip", "install", "--retries", "1", "--disable-pip-version-check", "--no-deps"];
  const { code, output } = await run(python, [...words, ...alone]);
  if (code !== 0) throw new Complaint(`Cannot install ${alone.join(", ")}: pip failed.\n${output}`);
}

interface Alone {
  readonly folder: string;
  readonly title: string;
  readonly needs: readonly string[];
  readonly alone: readonly string[];
}

const provideOpenEnv = ({ root, out }: Place): Promise<void> =>
  provideAlone(
    {
      folder: openEnvVenv(root),
      title: "what OpenEnv's own tools need",
      needs: packages.openEnvTests,
      alone: packages.openEnv,
    },
    out,
  );

const provideTrainers = ({ root, out }: Place): Promise<void> =>
  provideAlone(
    {
      folder: trainersVenv(root),
      title: "what the parsers of trainers need",
      needs: packages.trainerTests,
      alone: packages.trainers,
    },
    out,
  );

const provideClients = ({ root, out }: Place): Promise<void> =>
  provideAlone(
    {
      folder: clientsVenv(root),
      title: "what the clients of trainers are tried with",
      needs: packages.clientTests,
      alone: packages.clients,
    },
    out,
  );

interface Provision {
  /** What stands in the compiled text of a test that needs it: the helper that it imports, or the list that it asks for. */
  readonly sign: RegExp;
  provide(place: Place): Promise<void>;
  /** Whether the tests would be skipped all the same, for something that is not installed from here. */
  isInVain?(): boolean;
}

const lacksBrowser = (): boolean => chromiumPath() === undefined;

/** What stands in one line shares a folder, and is provided in its turn; the lines know nothing of each other. */
const provisions: readonly (readonly Provision[])[] = [
  [
    { sign: /support\/jupyter\.js"/, provide: provideLab },
    { sign: /support\/sharedLab\.js"/, provide: provideLab, isInVain: lacksBrowser },
    {
      // What serves it, and what opens its kernel in a page.
      sign: /support\/builtSite\.js"|\.\/sitePage\.js"/,
      provide: async ({ root }) => void (await makeSite(root)),
      isInVain: lacksBrowser,
    },
  ],
  [
    {
      sign: /"protocolTests"/,
      provide: (place) => providePackages("protocolTests", "the Python of the protocol tests", place),
    },
    {
      sign: /"clusterTests"/,
      provide: (place) => providePackages("clusterTests", "the Python of the cluster tests", place),
    },
    {
      sign: /"graderTests"/,
      provide: (place) => providePackages("graderTests", "nbgrader for the tests of the exercises", place),
    },
  ],
  [
    {
      sign: /"notebookTests"/,
      provide: (place) => providePackages("notebookTests", "Notebook 7", place, notebookVenv(place.root)),
      isInVain: lacksBrowser,
    },
  ],
  [{ sign: /"openEnvTests"/, provide: provideOpenEnv }],
  [{ sign: /"trainerTests"/, provide: provideTrainers }],
  [{ sign: /"clientTests"/, provide: provideClients }],
  [
    { sign: /support\/otherNodes\.js"/, provide: ({ out }) => provideOtherNodes(out) },
    { sign: /support\/arm64\.js"/, provide: ({ out }) => provideArm64(out) },
    {
      sign: /support\/vsCodeWidgets\.js"/,
      provide: ({ out }) => provideVsCodeWidgets(out),
      isInVain: lacksBrowser,
    },
    { sign: /support\/webgpu\.js"/, provide: ({ out }) => provideWebGpu(out) },
  ],
];

/** A stream that keeps what it is told. */
function keeping(): { readonly out: Writable; text(): string } {
  let text = "";
  const out = new Writable({
    decodeStrings: false,
    write(said: string, _encoding, done) {
      text += said;
      done();
    },
  });
  return { out, text: () => text };
}

/** Provides one line; returns whether all of it could be had. */
async function provideLine(line: readonly Provision[], place: Place): Promise<boolean> {
  let all = true;
  for (const { provide } of line) {
    try {
      await provide(place);
    } catch (error) {
      all = false;
      report(error, place.out);
    }
  }
  return all;
}

const tests = path.join(checkout, "build", "test");
const isBelow = (file: string, folder: string): boolean => file.startsWith(folder + path.sep);

/** The texts of compiled tests and of the helpers that they import from beside them; helpers of support/ are signs themselves. */
export function textsOf(files: readonly string[]): string[] {
  const found = new Set(files.map((file) => path.resolve(checkout, file)));
  const texts: string[] = [];
  // What is added to a set while it is iterated over has its turn, too.
  for (const file of found) {
    const text = fs.readFileSync(file, "utf8");
    texts.push(text);
    for (const [, name] of text.matchAll(/\brequire\("(\.\.?\/[^"]+\.js)"\)/g)) {
      const helper = path.resolve(path.dirname(file), name!);
      const isHelper = isBelow(helper, tests) && !isBelow(helper, path.join(tests, "support"));
      if (isHelper && fs.existsSync(helper)) found.add(helper);
    }
  }
  return texts;
}

/**
 * Installs what the given compiled tests need and that is not there yet: Python, other versions of Node, WebGPU; a unit test waits for none. What cannot
 * be had is told, and its tests are skipped. Two lines are provided side by side, of which the first tells its steps while it runs and the others
 * afterwards. Returns whether all is there.
 */
export async function provideFor(
  files: readonly string[],
  place: Place = { root: checkout },
): Promise<boolean> {
  const texts = textsOf(files);
  const isNeeded = ({ sign, isInVain }: Provision): boolean =>
    texts.some((text) => sign.test(text)) && !isInVain?.();
  const [first, ...others] = provisions
    .map((line) => line.filter(isNeeded))
    .filter((line) => line.length > 0);
  if (!first) return true;
  const kept = others.map((line) => ({ line, ...keeping() }));
  const inTurn = async (): Promise<boolean> => {
    let all = true;
    for (const { line, out } of kept) all = (await provideLine(line, { ...place, out })) && all;
    return all;
  };
  const had = await Promise.all([provideLine(first, place), inTurn()]);
  for (const { text } of kept) (place.out ?? process.stdout).write(text());
  return had.every(Boolean);
}
