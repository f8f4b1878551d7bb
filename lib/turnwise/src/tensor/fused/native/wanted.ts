import { wasmModule } from "../wasmKernels";
import { wantedAddon, type WantedAddon } from "./addon";
import { overlay, roundsOnce } from "./overlay";
import { packagedAddon } from "./packaged";

/**
 * Addon that `lib/turnwise/native/addon.cjs` should compile for this version of Node on this machine; undefined if
 * none, as when the package of this platform has it.
 *
 * @public
 */
export function wantedHere(): WantedAddon | undefined {
  if (process.env.TURNWISE_NATIVE === "off") return undefined;
  const made = wasmModule();
  if (typeof made === "string") return undefined;
  const { exports, memory } = made();
  const at = exports.__heap_base.value;
  const wanted = wantedAddon(roundsOnce(exports, memory.buffer, at));
  if (!wanted || packagedAddon(wanted.file)?.file === undefined) return wanted;
  return typeof overlay(exports, memory, at) === "string" ? wanted : undefined;
}
