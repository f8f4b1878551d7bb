import fs from "node:fs";
import path from "node:path";
import * as packages from "turnwise-kernel/bootstrap/python-packages.cjs";
import { makeSite } from "turnwise-kernel/site/make.cjs";
import { Complaint, report } from "turnwise-kernel/bootstrap/steps.cjs";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { projectFolders } from "turnwise-kernel/dist/cli/folders.js";
import { makeEnvironment } from "turnwise-kernel/dist/cli/jupyter/environment.js";
import { findJupyter } from "turnwise-kernel/dist/cli/jupyter/find.js";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { makeVenv } from "turnwise-kernel/dist/cli/jupyter/venv.js";
import { provideArm64 } from "./arm64.js";
import { provideOtherNodes } from "./otherNodes.js";
import { root as checkout } from "./paths.js";
import { hasPackages, openEnvVenv, protocolVenv, type PythonPackages } from "./python.js";
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

async function providePackages(list: PythonPackages, title: string, { root, out }: Place): Promise<void> {
  const folder = protocolVenv(root);
  const there = (): Promise<boolean> => hasPackages(environmentPython(folder), packages[list]);
  if (await there()) return;
  const holds = async (): Promise<string | undefined> =>
    (await there()) ? packages[list].join(", ") : undefined;
  await makeEnvironment({ folder, title, packages: packages[list], holds }, out);
}

/** OpenEnv is installed without what it asks for, as kernel/bootstrap/python-packages.cjs says, after what it really needs. */
async function provideOpenEnv({ root, out }: Place): Promise<void> {
  const folder = openEnvVenv(root);
  const python = environmentPython(folder);
  const { openEnv, openEnvTests } = packages;
  if (await hasPackages(python, [...openEnvTests, ...openEnv])) return;
  const holds = async (): Promise<string | undefined> =>
    (await hasPackages(python, openEnvTests)) ? openEnvTests.join(", ") : undefined;
  await makeEnvironment(
    { folder, title: "what OpenEnv's own tools need", packages: openEnvTests, holds },
    out,
  );
  const alone = [
    "-m",
    "pip",
    "install",
    "--retries",
    "1",
    "--disable-pip-version-check",
    "--no-deps",
    ...openEnv,
  ];
  const { code, output } = await run(python, alone);
  if (code !== 0)
    throw new Complaint(`Cannot install ${openEnv.join(", ")} as pip must succeed: it failed\n${output}`);
}

interface Provision {
  /** What stands in the compiled text of a test that needs it: the helper that it imports, or the list that it asks for. */
  readonly sign: RegExp;
  provide(place: Place): Promise<void>;
}

const provisions: readonly Provision[] = [
  { sign: /support\/(sharedLab|jupyter)\.js"/, provide: provideLab },
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
  { sign: /"openEnvTests"/, provide: provideOpenEnv },
  { sign: /support\/builtSite\.js"/, provide: async ({ root }) => void (await makeSite(root)) },
  { sign: /support\/otherNodes\.js"/, provide: ({ out }) => provideOtherNodes(out) },
  { sign: /support\/arm64\.js"/, provide: ({ out }) => provideArm64(out) },
  { sign: /support\/webgpu\.js"/, provide: ({ out }) => provideWebGpu(out) },
];

/**
 * Installs what the given compiled tests need and that is not there yet: Python, other versions of Node, WebGPU; a unit test waits for none. What cannot
 * be had is told, and its tests are skipped. Returns whether all is there.
 */
export async function provideFor(
  files: readonly string[],
  place: Place = { root: checkout },
): Promise<boolean> {
  const texts = files.map((file) => fs.readFileSync(path.resolve(checkout, file), "utf8"));
  let all = true;
  for (const { sign, provide } of provisions) {
    if (!texts.some((text) => sign.test(text))) continue;
    try {
      await provide(place);
    } catch (error) {
      all = false;
      report(error, place.out);
    }
  }
  return all;
}
