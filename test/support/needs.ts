interface Skippable {
  skipReason?: string;
  skipCommand?: string;
  /** "hook" or "test"; set by mocha, absent from its types. */
  type?: string;
}

/** Whether .ci/run could not provide this; it has tried three times. */
export function lacks(what: string): boolean {
  return (process.env.TURNWISE_LACKS ?? "").split(" ").includes(what);
}

/**
 * Skips the running test (or, in a before hook, its suite) for a reason that the report prints, with the command that
 * enables it where there is one. In CI nothing may be missing except what .ci/run could not install: there the test fails.
 */
export function skip(context: Mocha.Context, reason: string, command?: string): never {
  if (process.env.CI && !reason.split(/[^\w-]+/).some((word) => word !== "" && lacks(word)))
    throw new Error(`Cannot skip this test: CI must have all that tests need: ${reason}`);
  const runnable = context.runnable() as Mocha.Runnable & Skippable;
  const owner = runnable.type === "hook" ? (runnable.parent as Mocha.Suite & Skippable) : runnable;
  owner.skipReason = reason;
  if (command !== undefined) owner.skipCommand = command;
  context.skip();
}
