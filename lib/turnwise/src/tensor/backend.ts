import * as host from "#tensor/backends";
import type { BackendAttempt, BackendName, ImportPackage, Outcome } from "./backends/attempt";
import { tf } from "./backends/tf";
import { tfjsNames, trial, trialWork } from "./backends/trial";

/** TensorFlow.js with gradients and chained methods registered. Import it only from here. */
export { tf };
export type { BackendAttempt, BackendName };

/** Which tensor backend runs, and what became of the others. */
export interface BackendReport {
  /** The backend that runs. */
  readonly name: BackendName;
  /** Name in TensorFlow.js: "tensorflow", "webgpu" or "cpu". */
  readonly tfjsName: string;
  readonly tfjsVersion: string;
  /** One sentence: what runs, and why. */
  readonly choice: string;
  /** Every backend that was tried, in order; empty until `loadBackend` has run. */
  readonly attempts: readonly BackendAttempt[];
}

const PACKAGES: readonly { name: BackendName; package: string }[] = [
  { name: "node-gpu", package: "@tensorflow/tfjs-node-gpu" },
  { name: "webgpu", package: "@tensorflow/tfjs-backend-webgpu" },
  { name: "node", package: "@tensorflow/tfjs-node" },
  { name: "cpu", package: "@tensorflow/tfjs-backend-cpu" },
];

let current: BackendName = "cpu";
let choice = "cpu runs, as loadBackend() was not called.";
let attempts: readonly BackendAttempt[] = [];

/**
 * Chooses the backend: the fastest of those that load, by a trial of half a second where it is not pure JavaScript alone.
 *
 * All but that one are optional: `npm run gpu` installs them. A missing package, a package without its binary and a binary
 * without its libraries fail in different ways, so any error is kept as the reason.
 *
 * @param o.only tries this backend and no other
 * @param o.importPackage replaces `import()` in tests
 * @throws {Error} if `only` is given and does not load
 */
export async function loadBackend(
  o: { only?: BackendName; importPackage?: ImportPackage } = {},
): Promise<BackendReport> {
  const importPackage = o.importPackage ?? host.importPackage;
  const tried: BackendAttempt[] = [];
  for (const candidate of PACKAGES) {
    if (o.only && candidate.name !== o.only) continue;
    const taken = tried.find((other) => other.loaded && tfjsNames[other.name] === tfjsNames[candidate.name]);
    const { loaded, text } = taken
      ? { loaded: false, text: `${taken.name} has taken its place` }
      : await load(candidate, importPackage);
    tried.push({ ...candidate, loaded, reason: text });
  }
  const usable = tried.filter(({ loaded }) => loaded).map(({ name }) => name);
  if (usable.length === 0) {
    await tf.setBackend("cpu");
    throw new Error(`Cannot load the backend "${o.only}": ${tried[0]?.reason ?? "unknown name"}`);
  }
  ({ name: current, choice } = await chosen(usable, o.only !== undefined));
  await tf.setBackend(tfjsNames[current]);
  attempts = tried;
  return backendReport();
}

/** Which backend runs, and why the others do not. */
export function backendReport(): BackendReport {
  return { name: current, tfjsName: tf.getBackend(), tfjsVersion: tf.version_core, choice, attempts };
}

async function load(
  candidate: { readonly name: BackendName; readonly package: string },
  importPackage: ImportPackage,
): Promise<Outcome> {
  switch (candidate.name) {
    case "cpu":
      await tf.setBackend("cpu");
      return { loaded: true, text: "pure JavaScript, always present" };
    case "webgpu":
      return host.loadWebGpu(importPackage);
    default:
      return host.loadAddon(
        { package: candidate.package, needsGpu: candidate.name === "node-gpu" },
        importPackage,
      );
  }
}

async function chosen(
  usable: readonly BackendName[],
  asked: boolean,
): Promise<{ name: BackendName; choice: string }> {
  const [first] = usable as [BackendName];
  if (usable.length === 1) {
    return {
      name: first,
      choice: `${first} runs, as ${asked ? "it was asked for" : "no other backend loads"}.`,
    };
  }
  const ascending = [...(await trial(usable))].sort(([, a], [, b]) => a - b);
  const [[name, fastest], ...others] = ascending as [[BackendName, number], ...[BackendName, number][]];
  const ms = (time: number): string => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
  const slower = others.map(([other, time]) => `${other} ${ms(time)}`).join(", ");
  return { name, choice: `${name} runs, as it took ${ms(fastest)} for ${trialWork}: ${slower}.` };
}
