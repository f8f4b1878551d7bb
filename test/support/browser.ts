import { chromium, type Browser } from "playwright-core";
import { chromiumPath } from "./chromium.js";
import { lacks, skip } from "./needs.js";
import { patient } from "./patient.js";

/** WebGPU on a program, SwiftShader, which Debian's Chromium brings. */
const webgpu = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

const flags = [
  ...["--disable-quic", "--no-first-run", "--disable-background-networking"],
  // A container's shared memory may be 64 MB, which a page with charts fills: then it crashes.
  "--disable-dev-shm-usage",
];

export interface LaunchOptions {
  /** Whether the browser is closed by signals to this process; otherwise the caller decides what they mean. */
  readonly heedsSignals?: boolean;
  /** Whether pages have WebGPU. Default false. */
  readonly hasWebGpu?: boolean;
}

/** What Playwright is to do with signals. */
export const signals = (heeded: boolean): object => ({
  ...{ handleSIGINT: heeded, handleSIGTERM: heeded, handleSIGHUP: heeded },
});

/**
 * Starts a headless Chromium, with up to three tries; without one the test is skipped, and a program without a test fails. The
 * caller closes it.
 */
export async function launchBrowser(
  context: Mocha.Context | undefined,
  { heedsSignals = true, hasWebGpu = false }: LaunchOptions = {},
): Promise<Browser> {
  const executablePath = chromiumPath();
  if (!executablePath || lacks("Chromium")) {
    if (!context) throw new Error("Cannot open a page: Chromium must be installed.");
    skip(context, "needs Chromium", "sudo apt-get install chromium (Debian), or set CHROMIUM=<path>");
  }
  const args = [...flags, ...(hasWebGpu ? webgpu : ["--disable-gpu"])];
  const o = { executablePath, headless: true, chromiumSandbox: false, args, ...signals(heedsSignals) };
  // A machine that is short of processes or memory for a moment may refuse the start. No page exists by then, so trying once more
  // hides no fault of what is tested.
  for (let tries = 1; ; tries++) {
    try {
      return await chromium.launch({ ...o, timeout: patient(60_000) });
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}
