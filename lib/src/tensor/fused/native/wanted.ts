import { wasmModule } from "../wasmKernels";
import { wantedAddon, type WantedAddon } from "./addon";
import { roundsOnce } from "./overlay";

/**
 * What `lib/native/addon.cjs` should compile for this version of Node on this machine; undefined where nothing.
 *
 * @public
 */
export function wantedHere(): WantedAddon | undefined {
  if (process.env.TURNWISE_NATIVE === "off") return undefined;
  const made = wasmModule();
  if (typeof made === "string") return undefined;
  const { exports, memory } = made();
  return wantedAddon(roundsOnce(exports, memory.buffer, exports.__heap_base.value));
}
