import { types } from "./first.js";
import { readConnectionFile } from "../protocol/connection.js";
import { Kernel } from "./kernel.js";
import { nodeHost } from "./node-host.js";
import { watchParent } from "./parent.js";

async function main(): Promise<void> {
  const path = process.argv[2];
  if (path === undefined) {
    throw new TypeError(
      "Cannot start the kernel: the path of a connection file must be given, got no argument.",
    );
  }
  const kernel = new Kernel(
    nodeHost(readConnectionFile(path), process.cwd(), types, (code) => process.exit(code)),
  );
  process.on("SIGINT", () => kernel.interrupt());
  process.on("SIGTERM", () => void kernel.end(0));
  watchParent(() => void kernel.end(0, { now: true }));
  await kernel.start();
}

main().catch((error: unknown) => {
  process.stderr.write(`turnwise kernel: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
