import path from "node:path";
import { reporters, Runner } from "mocha";

/** What a process of mocha tells about its tests, as plain data: the one that prints may be another. */
export type TestEvent =
  /** `file` only where a suite stands in no other. */
  | { readonly t: "suite"; readonly title: string; readonly file?: string }
  | { readonly t: "suiteEnd" }
  | { readonly t: "pass"; readonly title: string; readonly speed: string; readonly duration: number }
  | { readonly t: "skip"; readonly title: string; readonly reason: string; readonly command: string }
  | { readonly t: "again"; readonly title: string; readonly message: string }
  | {
      readonly t: "fail";
      readonly title: string;
      readonly message: string;
      /** What mocha lists at the end: a format, the titles, the message with its differences, the stack. */
      readonly listed: readonly [format: string, titles: string, message: string, stack: string];
    }
  | { readonly t: "end" };

interface Node {
  readonly parent?: Node;
  readonly skipReason?: string;
  readonly skipCommand?: string;
}

/** What test/support/needs left on the test or on a suite around it: the reason, and the command that helps. */
function skipOf(test: Node): { reason: string; command: string } {
  for (let node: Node | undefined = test; node; node = node.parent)
    if (node.skipReason) return { reason: node.skipReason, command: node.skipCommand ?? "" };
  return { reason: "no reason given", command: "" };
}

const messageOf = (error: unknown): string =>
  String((error as { message?: unknown } | undefined)?.message ?? error);

type Listed = (TestEvent & { t: "fail" })["listed"];

/** How mocha would list a failure. */
function listed(test: Mocha.Test, err: unknown): Listed {
  const { consoleLog } = reporters.Base;
  let told: Listed = ["%s) %s%s%s", "", "", ""];
  reporters.Base.consoleLog = (...args: unknown[]): void => {
    if (args.length === 5) told = [args[0], args[2], args[3], args[4]].map(String) as unknown as Listed;
  };
  try {
    reporters.Base.list([{ err, titlePath: () => test.titlePath() } as never]);
  } finally {
    reporters.Base.consoleLog = consoleLog;
  }
  return told;
}

export const relative = (file: string): string =>
  path.relative(process.cwd(), file).split(path.sep).join("/");

/** Tells what a runner does. */
export function listen(runner: Mocha.Runner, tell: (event: TestEvent) => void): void {
  const events = Runner.constants;
  runner.on(events.EVENT_SUITE_BEGIN, (suite) => {
    if (suite.root) return;
    const { title } = suite;
    if (suite.parent?.root) tell({ t: "suite", title, file: relative(suite.file ?? "") });
    else tell({ t: "suite", title });
  });
  runner.on(events.EVENT_SUITE_END, (suite) => {
    if (!suite.root) tell({ t: "suiteEnd" });
  });
  runner.on(events.EVENT_TEST_PASS, ({ title, speed, duration }) => {
    tell({ t: "pass", title, speed: speed ?? "fast", duration: duration ?? 0 });
  });
  runner.on(events.EVENT_TEST_PENDING, (test) => {
    tell({ t: "skip", title: test.title, ...skipOf(test as Node) });
  });
  runner.on(events.EVENT_TEST_FAIL, (test, error) => {
    tell({ t: "fail", title: test.title, message: messageOf(error), listed: listed(test, error) });
  });
  runner.on(events.EVENT_TEST_RETRY, (test, error) => {
    tell({ t: "again", title: test.title, message: messageOf(error) });
  });
  runner.once(events.EVENT_RUN_END, () => {
    tell({ t: "end" });
  });
}
