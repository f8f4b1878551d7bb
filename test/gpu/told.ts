import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { skip } from "../support/needs.js";
import { swiftShader, webgpuFolder, whyNoWebGpu } from "../support/webgpu.js";
import type { Told } from "./tell.js";

/** What WebGPU computes in a process of its own, of some cases or of all; skips the tests where it cannot run. */
export async function toldByWebGpu(context: Mocha.Context, all = false): Promise<Told> {
  const reason = whyNoWebGpu();
  if (reason !== undefined) skip(context, reason, "npm test -- test/gpu");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(__dirname, "tell.js"), webgpuFolder, ...(all ? ["all"] : [])],
    { env: { ...process.env, ...swiftShader } },
  );
  return JSON.parse(/^told (.*)$/m.exec(stdout)![1]!) as Told;
}

/** The cases whose loss or gradient is not that in double precision. */
export const wrongOf = ({ errors }: Told): [title: string, error: number][] =>
  Object.entries(errors).filter(([, error]) => !(error < 1e-5));
