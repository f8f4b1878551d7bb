import fs from "node:fs";
import path from "node:path";
import * as gpu from "turnwise-kernel/bootstrap/gpu-packages.cjs";
import { step } from "turnwise-kernel/bootstrap/steps.cjs";
import { root } from "./paths.js";

/** Below the checkout, so that its packages find the checkout's TensorFlow.js. */
export const webgpuFolder = path.join(root, "build", "gpu");

/** A GPU as a program, which Debian's Chromium brings; and its loader. */
const chromium = "/usr/lib/chromium";
const driver = path.join(chromium, "vk_swiftshader_icd.json");

/** Why WebGPU cannot be tested here; undefined if it can. */
export function whyNoWebGpu(): string | undefined {
  if (!gpu.complete(webgpuFolder)) return "needs webgpu from npm";
  if (!fs.existsSync(driver)) return `needs SwiftShader, which Debian's chromium has in ${chromium}`;
  return undefined;
}

/** With these, Dawn finds SwiftShader and no other GPU. */
export const swiftShader: Readonly<Record<string, string>> = {
  VK_ICD_FILENAMES: driver,
  LD_LIBRARY_PATH: chromium,
};

/** Installs it, unless it is there. */
export async function provideWebGpu(out?: NodeJS.WritableStream): Promise<void> {
  if (gpu.complete(webgpuFolder)) return;
  fs.mkdirSync(webgpuFolder, { recursive: true });
  fs.writeFileSync(path.join(webgpuFolder, "package.json"), '{ "private": true }\n');
  await step(
    `Installing ${gpu.names.join(" and ")} for the tests of the GPU`,
    (progress) => gpu.install(webgpuFolder, ["--legacy-peer-deps"], progress),
    out,
  );
}
