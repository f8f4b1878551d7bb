import { firefox, type Browser } from "playwright-core";
import { signals, type LaunchOptions } from "./browser.js";
import { firefoxProgram } from "./firefox.js";
import { patient } from "./patient.js";

interface Session {
  send(method: string, params: unknown): Promise<unknown>;
}
interface Owner {
  readonly _connection: { toImpl(browser: Browser): { readonly _browserSession: Session } };
}

/** What Firefox's long-term release does not know yet, and Playwright says to every new page: to prefer the light theme. */
const unknown = "emulation.setMediaFeaturesOverride";

/**
 * Starts a headless Firefox as the system has it, which Playwright drives by WebDriver BiDi; without one the test is skipped. The
 * caller closes it. The size of the window and the theme of the system cannot be chosen.
 */
export async function launchFirefox(
  context: Mocha.Context | undefined,
  { heedsSignals = true }: LaunchOptions = {},
): Promise<Browser> {
  const executablePath = firefoxProgram(context);
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath,
    headless: true,
    ...signals(heedsSignals),
    timeout: patient(90_000),
  });
  const { _browserSession } = (browser as unknown as Owner)._connection.toImpl(browser);
  const sessions = Object.getPrototypeOf(_browserSession) as Session & { isPatched?: true };
  if (sessions.isPatched) return browser;
  const send = sessions.send;
  sessions.send = function (this: Session, method, params) {
    return method === unknown ? Promise.resolve({}) : send.call(this, method, params);
  };
  sessions.isPatched = true;
  return browser;
}
