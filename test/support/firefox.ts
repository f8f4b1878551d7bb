import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { lacks, skip } from "./needs.js";

const places = [
  process.env.FIREFOX ?? "",
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];

/** The program; without one the test is skipped, and a program without a test fails. */
export function firefoxProgram(context: Mocha.Context | undefined): string {
  const program = places.find((file) => file !== "" && fs.existsSync(file));
  if (!program || lacks("Firefox")) {
    if (!context) throw new Error("Cannot open a page: Firefox must be installed.");
    skip(context, "needs Firefox", "sudo apt-get install firefox-esr (Debian), or set FIREFOX=<path>");
  }
  return program;
}

/**
 * Opens a page with a script in a headless Firefox, and returns what the page sends back with `fetch("/answer", ...)`: nothing
 * drives the browser, as any version of it is to compute the same. Without one the test is skipped.
 */
export async function answerOfFirefox(
  context: Mocha.Context,
  script: string,
  limit: number,
): Promise<string> {
  const program = firefoxProgram(context);
  const page = `<!doctype html><meta charset="utf-8"><script>${script.replaceAll("</script", "<\\/script")}</script>`;
  let answer: (text: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => (answer = resolve));
  const server = http.createServer((request, response) => {
    if (request.method !== "POST") {
      response.setHeader("content-type", "text/html").end(request.url === "/" ? page : "");
      return;
    }
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      response.end();
      answer(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-firefox-"));
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const child = spawn(program, ["--headless", "--no-remote", "--profile", profile, address], {
    stdio: "ignore",
    env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1" },
  });
  const gone = new Promise<void>((resolve) => child.once("close", resolve));
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      told,
      gone.then(() => Promise.reject(new Error("Firefox ended before the page answered"))),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new Error(`Firefox did not answer within ${String(limit)} ms`));
        }, limit);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    child.kill();
    await gone;
    server.close();
    server.closeAllConnections();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
