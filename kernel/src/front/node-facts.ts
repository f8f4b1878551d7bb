import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dialectOfEnvironment } from "../magics/dialects.js";
import type { KernelFacts } from "./info.js";

function packageVersion(name: string): string {
  const path =
    name === "turnwise-kernel"
      ? join(__dirname, "../../package.json")
      : require.resolve(`${name}/package.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** Facts about the kernel on Node. */
export const nodeFacts = (): KernelFacts => ({
  version: packageVersion("turnwise-kernel"),
  typescript: packageVersion("typescript"),
  engine: `Node.js ${process.version}`,
  debugger: true,
  ...(dialectOfEnvironment() === "javascript" && { javascript: process.version.slice(1) }),
});
