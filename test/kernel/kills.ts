import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { argumentsOf, commandOf, environmentOf, isRunning, until } from "../support/process.js";
import { repository } from "./with-kernel.js";

/** What the kernel does when one of its processes is killed, and the cell that makes it do so. */
export const states = {
  "nothing runs": "0",
  "a cell blocks": 'console.log("started"); while (true) {}',
  "a cell waits for a child process":
    'console.log("started"); require("node:child_process").execSync("sleep 600", { stdio: "inherit" })',
} as const;
type State = keyof typeof states;
export const victims = ["parent", "front", "session", "type service"] as const;
type Victim = (typeof victims)[number];

interface Family {
  parent: ChildProcess;
  front: number;
  session: number;
  types: number;
  /** Front, sessions, type service and what cells have started, as long as they run. */
  all(): number[];
  ports: number[];
  /** Sends a line to the parent, which runs it as a cell, and resolves with what came of it. */
  ask(code: string): Promise<string>;
  /** What came of the state's own cell. */
  outcome: Promise<string>;
}

// Stands in for Jupyter: starts a kernel and runs what it is told.
const parentScript = `
const { startKernel } = require(${JSON.stringify(join(repository, "kernel/dist/index.js"))});
const { createInterface } = require("node:readline");
const say = (what) => console.log(JSON.stringify(what));
const summary = (r) => r.error ? r.error.ename : r.outputs.filter((o) => o.data).map((o) => o.data["text/plain"]).join();
startKernel({ cwd: ${JSON.stringify(join(repository, "kernel"))}, transport: "tcp", startTimeoutMs: 120_000 }).then(async (kernel) => {
  const session = (await kernel.execute("process.pid")).outputs[0].data["text/plain"];
  const { info } = kernel.process;
  say({ front: kernel.pid, session: Number(session), ports: [info.shell_port, info.iopub_port, info.stdin_port, info.control_port, info.hb_port] });
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const { id, code } = JSON.parse(line);
    const onMessage = ({ header }) => { if (header.msg_type === "stream") say({ started: id }); };
    const result = await kernel.execute(code, { onMessage }).catch((error) => ({ error: { ename: String(error.message) } }));
    say({ id, outcome: summary(result) });
  });
});`;

let families = 0;

async function family(state: State): Promise<Family> {
  // By this all of a family are found, also what is started at the very moment of a death.
  const mark = `TURNWISE_TEST_FAMILY=${process.pid}-${++families}`;
  const [name, value] = mark.split("=") as [string, string];
  const env = { ...process.env, [name]: value };
  const parent = spawn(process.execPath, ["-e", parentScript], { stdio: ["pipe", "pipe", "inherit"], env });
  const said: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: parent.stdout }).on("line", (line) => {
    said.push(JSON.parse(line) as Record<string, unknown>);
    waiting.forEach((wake) => wake());
  });
  const find = async (test: (one: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> => {
    for (;;) {
      const found = said.find(test);
      if (found) return found;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  };
  const hello = (await find((one) => "front" in one)) as { front: number; session: number; ports: number[] };
  let count = 0;
  const send = (code: string): number => {
    parent.stdin.write(`${JSON.stringify({ id: ++count, code })}\n`);
    return count;
  };
  const outcomeOf = async (id: number): Promise<string> =>
    String((await find((one) => one.id === id)).outcome);
  const id = send(states[state]);
  if (state === "nothing runs") await outcomeOf(id);
  else await find((one) => one.started === id);
  if (state.includes("child"))
    await until("the child process", () =>
      descendants(hello.session).some((pid) => commandOf(pid) === "sleep"),
    );
  return {
    parent,
    ...hello,
    types: descendants(hello.front).find((pid) => argumentsOf(pid).includes("types")) ?? -1,
    all: () => running().filter((pid) => pid !== parent.pid && environmentOf(pid).split("\0").includes(mark)),
    ask: (code) => outcomeOf(send(code)),
    outcome: outcomeOf(id),
  };
}

function running(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isRunning(pid));
}

function refused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
}

/** Whether some process listens at a port: once a port is free, the system may give it to any program. */
function isOwned(port: number): boolean {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  const found = rows.find(([, local, , state]) => local === place && state === "0A");
  const sockets = (pid: number): string[] => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      return [];
    }
  };
  return found !== undefined && running().some((pid) => sockets(pid).includes(`socket:[${found[9]}]`));
}

/** A cell that is sent before the front has noticed the death gets one clear error; the next one must not. */
async function settled(ask: Family["ask"], error: string): Promise<void> {
  const first = await ask("// @ts-nocheck\n'first'");
  assert.ok(first === "'first'" || first === error, first);
}

/** Tests of what is left when a process of a kernel is killed in a state. */
export function describeKills(cases: readonly (readonly [state: State, victim: Victim])[]): void {
  const chosen = (state: State, victim: Victim): boolean =>
    cases.some(([one, other]) => one === state && other === victim);
  const started: Family[] = [];
  const start = async (state: State): Promise<Family> => {
    const made = await family(state);
    started.push(made);
    return made;
  };

  after(() => {
    for (const { parent, all } of started) {
      for (const pid of [parent.pid!, ...all()]) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    }
  });

  for (const state of Object.keys(states) as State[]) {
    for (const victim of ["parent", "front"] as const) {
      if (!chosen(state, victim)) continue;
      it(`of the ${victim} while ${state} leaves no process and no port`, async () => {
        const { parent, front, all, ports } = await start(state);
        assert.ok(all().length >= 3, "front, session and type service run");
        process.kill(victim === "parent" ? parent.pid! : front, "SIGKILL");
        await until("the end of all", () => all().length === 0, 60_000).catch((error: Error) => {
          assert.fail(`${error.message}: ${all().map(argumentsOf).join("; ")}`);
        });
        // None of ours runs any more: who listens now came later. A process that ends has lost its environment, by which it is
        // found, before its sockets, so a port may accept for a moment more.
        for (const port of ports)
          await until(`the end of port ${port}`, async () => (await refused(port)) || isOwned(port));
        if (victim === "front") {
          parent.stdin!.end();
          parent.kill("SIGKILL");
          await once(parent, "exit");
        }
      });
    }

    if (chosen(state, "session"))
      it(`of the session while ${state} costs the variables, and leaves no process behind`, async () => {
        const { parent, session, ask, outcome } = await start(state);
        const doomed = [session, ...descendants(session)];
        process.kill(session, "SIGKILL");
        for (const pid of doomed) await until(`the end of ${pid}`, () => !isRunning(pid), 60_000);
        if (state !== "nothing runs") assert.equal(await outcome, "SessionEnded");
        await settled(ask, "SessionEnded");
        assert.equal(await ask("1 + 1"), "2");
        assert.notEqual(await ask("process.pid"), String(session));
        parent.kill("SIGKILL");
      });

    if (chosen(state, "type service"))
      it(`of the type service while ${state} costs nothing that a person has made`, async () => {
        const { parent, types, session, ask, outcome } = await start(state);
        assert.ok(types > 0, "it is a process of its own");
        process.kill(types, "SIGKILL");
        await until("its end", () => !isRunning(types), 60_000);
        if (state.includes("child")) {
          for (const pid of descendants(session)) process.kill(pid, "SIGTERM");
          assert.equal(await outcome, "Error", "the cell has seen its child end");
        }
        if (state !== "a cell blocks") {
          await settled(ask, "KernelError");
          assert.equal(await ask("// @ts-nocheck\nprocess.pid"), String(session), "the same session goes on");
        }
        parent.kill("SIGKILL");
      });
  }
}
