/** Whether an error ends a cell that was interrupted: it must reach the kernel as it is, whatever it was thrown through. */
export const isInterrupt = (error: unknown): boolean =>
  error instanceof Error && error.name === "KernelInterrupt";
