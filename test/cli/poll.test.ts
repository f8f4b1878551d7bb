import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
import { commands } from "turnwise-kernel/internal/cli/commands";
import { networkAddresses, urlOf } from "turnwise-kernel/internal/poll/addresses";
import { Poll, type Question } from "turnwise-kernel/internal/poll/poll";
import { questionsOf } from "turnwise-kernel/internal/poll/questions";
import { servePoll, type PollServer } from "turnwise-kernel/internal/poll/server";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";

const question = (place: string, answer?: string): Question => ({
  place,
  question: "Does it *fall*?",
  choices: [
    { letter: "a", text: "yes" },
    { letter: "b", text: "<script>alert(1)</script> no" },
  ],
  ...(answer !== undefined && { answer }),
});

describe("a poll", () => {
  it("counts one vote for each browser and question, which may change until the results are shown", () => {
    const poll = new Poll([question("1", "b"), question("2")]);
    assert.equal(poll.vote("x", 0, "a"), "counted");
    assert.equal(poll.vote("x", 0, "b"), "counted");
    assert.equal(poll.vote("y", 0, "b"), "counted");
    assert.equal(poll.vote("y", 0, "c"), "unknown choice");
    assert.equal(poll.vote("y", 1, "a"), "closed");
    assert.deepEqual([poll.counts, poll.total, poll.choiceOf("x")], [[0, 2], 2, "b"]);
    poll.step("answer", 0);
    assert.equal(poll.shown, "nothing", "an answer comes after the results");
    poll.step("reveal", 0);
    assert.equal(poll.vote("z", 0, "a"), "closed");
    poll.step("answer", 0);
    assert.equal(poll.shown, "answer");
    poll.step("next", 0);
    poll.step("next", 0);
    assert.equal(poll.index, 1, "a second click on an old page does nothing");
    poll.step("next", 1);
    assert.deepEqual([poll.index, poll.total], [1, 0]);
    poll.step("previous", 1);
    assert.deepEqual([poll.shown, poll.total], ["answer", 2]);
    poll.step("again", 0);
    assert.deepEqual([poll.shown, poll.total], ["nothing", 0]);
  });

  it("tells those that watch, until they stop", () => {
    const poll = new Poll([question("1")]);
    let told = 0;
    const stop = poll.watch(() => told++);
    poll.vote("x", 0, "a");
    poll.vote("x", 0, "nothing of it");
    stop();
    poll.step("reveal", 0);
    assert.equal(told, 1);
  });
});

describe("the questions of a poll", () => {
  after(removeTemporaryFolders);
  const asked = (given: string[], ask?: string): Question[] =>
    questionsOf(given, { root, ...(ask !== undefined && { ask }) });

  it("are the predictions of a lesson, by its number, name or file", () => {
    const fourth = asked(["04"]);
    assert.equal(fourth.length, 7);
    assert.equal(fourth[0]!.place, "04 The echo trap, section 1");
    assert.deepEqual(asked(["4"]), fourth);
    assert.deepEqual(asked(["04-echo-trap"]), fourth);
    assert.deepEqual(asked([path.join(root, "notebooks", "04-echo-trap.ipynb")]), fourth);
    assert.equal(asked(["00", "04"]).length, 5 + 7);
    for (const { choices, answer } of fourth) assert.ok(choices.some(({ letter }) => letter === answer));
  });

  it("are one question where there are choices", () => {
    assert.deepEqual(asked(["yes", "no"])[0]!.choices, [
      { letter: "a", text: "yes" },
      { letter: "b", text: "no" },
    ]);
    assert.equal(asked(["04", "05"], "Which lesson next?")[0]!.question, "Which lesson next?");
  });

  it("are refused in a sentence that says what must hold", () => {
    const folder = temporaryFolder();
    const file = (name: string, text: string): string => {
      fs.writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const refused: [string[], RegExp, string?][] = [
      [[], /must be a lesson or at least two choices, got neither/],
      [["99"], /"99" is no lesson.*the lessons are 00, 01/],
      [["04-ecko-trap"], /"04-ecko-trap" is no lesson/],
      [["04", "maybe"], /"maybe" is no lesson/],
      [["one"], /2 to 8 choices, got 1/, "Which?"],
      [[..."abcdefghi"], /2 to 8 choices, got 9/, "Which?"],
      [["yes", "yes"], /choices must differ, got "yes" twice/],
      [["yes", " "], /choice 2 must not be empty/],
      [["a", "b".repeat(301)], /at most 300 characters, got 301/],
      [[path.join(folder, "none.ipynb")], /cannot read .*none\.ipynb/],
      [[file("text.ipynb", "no JSON")], /must be JSON/],
      [[file("list.ipynb", "[]")], /notebook of format 4/],
      [[file("null.ipynb", "null")], /notebook of format 4/],
      [[file("cells.ipynb", '{"cells":[null]}')], /notebook of format 4/],
      [[file("empty.ipynb", '{"cells":[]}')], /has no prediction with choices/],
    ];
    for (const [given, reason, ask] of refused)
      assert.throws(
        () => asked(given, ask),
        (error: Error) => {
          assert.equal(error.name, "Complaint", given.join(" "));
          assert.match(error.message, /^Cannot start a poll: /);
          assert.match(error.message, reason);
          return true;
        },
      );
  });
});

describe("the addresses of a poll", () => {
  it("are those of this machine's networks, the likeliest first", () => {
    const one = (address: string, o: { internal?: boolean; family?: string } = {}): object => ({
      ...{ address, internal: false, family: "IPv4", ...o },
    });
    const interfaces = {
      lo: [one("127.0.0.1", { internal: true })],
      docker0: [one("192.168.99.1")],
      wlan0: [one("fe80::1", { family: "IPv6" }), one("192.168.1.7")],
      eth0: [one("169.254.3.4"), one("203.0.113.5")],
      eth1: [one("172.20.0.2")],
    };
    assert.deepEqual(networkAddresses(interfaces as never), [
      "192.168.1.7",
      "172.20.0.2",
      "203.0.113.5",
      "192.168.99.1",
    ]);
    assert.equal(urlOf("::1", 80), "http://[::1]:80/");
  });
});

/** An answer, as far as these tests read it. */
interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

describe("the server of a poll", () => {
  let poll: Poll;
  let server: PollServer;
  beforeEach(async () => {
    poll = new Poll([question("1", "b"), question("2")]);
    server = await servePoll(poll, {
      host: "127.0.0.1",
      port: 0,
      joining: (port) => ({ address: urlOf("127.0.0.1", port), code: undefined }),
    });
  });
  afterEach(() => server.close());

  const ask = (
    method: string,
    target: string,
    o: { body?: string; headers?: object } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { "Content-Type": "application/x-www-form-urlencoded", ...o.headers };
      const request = http.request(
        { host: "127.0.0.1", port: server.port, method, path: target, headers, agent: false },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("end", () =>
            resolve({ status: response.statusCode!, headers: response.headers, text }),
          );
          response.on("error", reject);
        },
      );
      request.on("error", reject);
      request.end(o.body);
    });
  /** The cookie of a new browser. */
  const browser = async (): Promise<string> => {
    const { headers } = await ask("GET", "/");
    return headers["set-cookie"]![0]!.split(";")[0]!;
  };
  const vote = (Cookie: string, choice: string, index = 0): Promise<Answer> =>
    ask("POST", "/vote", { body: `question=${String(index)}&choice=${choice}`, headers: { Cookie } });
  const present = (step: string, index = 0): Promise<Answer> =>
    ask("POST", `/${server.presenterPath}`, { body: `do=${step}&question=${String(index)}` });

  it("counts one vote for each browser, and shows bars only once the presenter asks for them", async () => {
    const browsers = await Promise.all(Array.from({ length: 30 }, browser));
    assert.equal(new Set(browsers).size, 30);
    const answers = await Promise.all(browsers.map((one, i) => vote(one, i < 21 ? "a" : "b")));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    await vote(browsers[0]!, "a");
    assert.deepEqual(poll.counts, [21, 9]);
    const hidden = await ask("GET", `/${server.presenterPath}`);
    assert.match(hidden.text, /30 votes/);
    assert.doesNotMatch(hidden.text, /70%|class="bar"|✓/);
    const student = await ask("GET", "/", { headers: { Cookie: browsers[0] } });
    assert.match(student.text, /You chose \(a\)/);
    assert.equal(student.headers["set-cookie"], undefined);
    assert.equal((await present("reveal")).status, 303);
    const shown = await ask("GET", `/${server.presenterPath}`);
    // 21 of 30 are 70%, 9 are 30%.
    assert.match(shown.text, /width: 70\.0%[^]*21 \(70%\)[^]*width: 30\.0%[^]*9 \(30%\)/);
    assert.equal((await vote(browsers[1]!, "b")).status, 409);
    for (const text of [shown.text, student.text]) assert.doesNotMatch(text, /<script>alert/);
  });

  it("tells waiting pages of the next question, and students nothing of the counts", async () => {
    const told: string[] = [];
    const request = http.get({ host: "127.0.0.1", port: server.port, path: "/events", agent: false });
    const [response] = (await new Promise((resolve) =>
      request.once("response", (one) => resolve([one])),
    )) as [http.IncomingMessage];
    const heard = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => void (told.length >= count && resolve());
        response.on("data", look);
        look();
      });
    response.setEncoding("utf8").on("data", (text: string) => told.push(/data: (.*)/.exec(text)![1]!));
    await heard(1);
    await vote(await browser(), "a");
    await present("reveal");
    await heard(2);
    await present("next");
    await heard(3);
    assert.deepEqual(told, ["0 open", "0 closed", "1 open"]);
    request.destroy();
  });

  it("lets nobody but the presenter step, by the key in the link", async () => {
    const key = /key=(.+)/.exec(server.presenterPath)![1]!;
    for (const target of [
      "/present",
      "/present?key=",
      `/present?key=${key}x`,
      `/present?key=${key.slice(1)}`,
    ])
      for (const method of ["GET", "POST"]) assert.equal((await ask(method, target)).status, 403, target);
    assert.equal((await present("explode")).status, 400);
    const elsewhere = await ask("POST", `/${server.presenterPath}`, {
      body: "do=reveal&question=0",
      headers: { Origin: "http://evil.example" },
    });
    assert.equal(elsewhere.status, 403);
    assert.equal(poll.shown, "nothing");
  });

  it("refuses forged browsers, other questions and choices, and what is no form", async () => {
    const cookie = await browser();
    const [id = ""] = cookie.split(".");
    const forged = [
      "",
      id,
      `${id}.`,
      `${id}.${"x".repeat(22)}`,
      "turnwise-poll=__proto__.x",
      cookie.slice(0, -1),
    ];
    for (const one of forged) assert.equal((await vote(one, "a")).status, 403, one);
    for (const [body, status] of [
      ["", 400],
      ["question=0", 400],
      ["question=0&choice=c", 400],
      ["question=0&choice=__proto__", 400],
      ["question=-1&choice=a", 400],
      ["question=1e0&choice=a", 400],
      ["question=1&choice=a", 409],
      ["question=999&choice=a", 409],
      ["%00%ff=%&&&", 400],
      [`question=0&choice=a&x=${"x".repeat(2000)}`, 413],
    ] as const)
      assert.equal((await ask("POST", "/vote", { body, headers: { Cookie: cookie } })).status, status, body);
    const json = { Cookie: cookie, "Content-Type": "application/json" };
    assert.equal((await ask("POST", "/vote", { body: "{}", headers: json })).status, 415);
    assert.equal(poll.total, 0);
  });

  it("answers paths that lead elsewhere, other methods and requests that are none", async () => {
    for (const [target, status] of [
      ["/../../etc/passwd", 404],
      ["/%2e%2e/%2e%2e/package.json", 404],
      ["/..%5c..%5cpackage.json", 404],
      ["/__proto__", 404],
      ["/constructor", 404],
      ["//evil.example/", 400],
      ["http://evil.example/", 400],
      [`/${"x".repeat(8000)}`, 404],
    ] as const)
      assert.equal((await ask("GET", target)).status, status, target.slice(0, 40));
    for (const [method, target, methods] of [
      ["DELETE", "/", "GET"],
      ["PUT", "/vote", "POST"],
      ["GET", "/vote", "POST"],
    ] as const) {
      const { status, headers } = await ask(method, target);
      assert.deepEqual([status, headers.allow], [405, methods]);
    }
    assert.equal((await ask("HEAD", "/")).text, "");
    const raw = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = net.connect(server.port, "127.0.0.1", () => socket.write(text));
        let all = "";
        socket.on("data", (part) => (all += part.toString()));
        socket.on("error", () => undefined);
        socket.on("close", () => resolve(all));
      });
    for (const garbage of [
      "\u0000\u0001\u0002\r\n\r\n",
      "GET\r\n\r\n",
      "hello\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
    ])
      assert.match(await raw(garbage), /^HTTP\/1\.1 400/, JSON.stringify(garbage));
    const huge = `POST /vote HTTP/1.1\r\nHost: x\r\nCookie: ${await browser()}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99999999\r\n\r\n${"x".repeat(5000)}`;
    assert.match(await raw(huge), /^HTTP\/1\.1 413/, "refused before all of it has come");
    assert.equal((await ask("GET", "/")).status, 200, "the poll goes on");
  });
});

describe("turnwise poll", () => {
  const main = path.join(root, "kernel", "bootstrap", "turnwise-kernel.cjs");

  it("prints both addresses and a code, and ends with Ctrl+C while pages are open", async () => {
    const args = [main, "poll", "yes", "no", "--host", "127.0.0.1", "--port", "0"];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const end = once(child, "close");
    let present = "";
    for await (const line of createInterface({ input: child.stdout })) {
      present = /^You present at +(\S+)$/.exec(line)?.[1] ?? "";
      if (present !== "") break;
    }
    const page = await fetch(present);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<svg[^]*http:\/\/127\.0\.0\.1:\d+\//);
    const events = await fetch(new URL("/events", present));
    child.kill("SIGINT");
    assert.equal((await end)[0], 0);
    await events.text().catch(() => undefined);
  });

  it("says in two sentences what is missing", async () => {
    const { code, stderr } = await turnwise(["poll"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot start a poll: there must be a lesson or at least two choices, got neither\.\nFor example: /,
    );
  });

  it("refuses a port, an address and an option that cannot be", async () => {
    const taken = net.createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    taken.unref();
    const { port } = taken.address() as net.AddressInfo;
    for (const [args, reason] of [
      [["--port", "70000"], /--port must be a whole number from 0 to 65535, got "70000"/],
      [["--port", "x"], /--port must be a whole number/],
      [
        ["--host", "203.0.113.1", "--port", "0"],
        /--host must be an address of this machine, got "203\.0\.113\.1"/,
      ],
      [["--host", "127.0.0.1", "--port", String(port)], /port \d+ is taken/],
      [["--ports", "1"], /unknown option '--ports'[^]*Did you mean: --port/],
    ] as const) {
      const run = commands.poll.run("poll", ["a", "b", ...args], { root, program: "turnwise" });
      await assert.rejects(run, (error: Complaint) => {
        assert.equal(error.name, "Complaint");
        assert.match(`${error.message}\n${error.advice}`, reason);
        return true;
      });
    }
  });
});
