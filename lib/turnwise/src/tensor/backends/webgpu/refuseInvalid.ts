import type { WebGpuBackend } from "./backend";

/**
 * Makes reading throw after the GPU has refused a command. Without this, what the command should have written is read as it
 * was before, most often zeros, and only a line on stderr tells.
 */
export function refuseInvalid(backend: WebGpuBackend): void {
  let refused: string | undefined;
  backend.device.addEventListener("uncapturederror", ({ error }) => {
    refused ??= error.message.trim().split("\n")[0]!;
  });
  const expectValid = (): void => {
    if (refused === undefined) return;
    const message = refused;
    refused = undefined;
    throw new Error(
      `Cannot read a tensor: the GPU must have computed it, but it refused a command, "${message}".`,
    );
  };
  const [readSync, read] = [backend.readSync.bind(backend), backend.read.bind(backend)];
  backend.readSync = (id) => {
    const values = readSync(id);
    expectValid();
    return values;
  };
  backend.read = async (id) => {
    const values = await read(id);
    expectValid();
    return values;
  };
}
