const checkMs = 1_000;

/** Calls `onGone` when the process that started this one has ended, as nobody else would stop the kernel. */
export function watchParent(onGone: () => void): void {
  // Where a launcher must stay between Jupyter and this process, as on Windows, its end closes the pipe that it holds.
  if (process.env.TURNWISE_PARENT_PIPE !== undefined) {
    // A kernel that a cell starts has another parent.
    delete process.env.TURNWISE_PARENT_PIPE;
    process.stdin.once("close", onGone).resume();
  }
  const parent = process.ppid;
  // A kernel that was started by init itself (in a container) has no parent to lose.
  if (parent <= 1) return;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      onGone();
    }
  }, checkMs);
  timer.unref();
}
