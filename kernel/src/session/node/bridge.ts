import { readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { descendants, parentOf } from "../../process/descendants.js";
import { startDebugger } from "./debug/start.js";
import { endWithFront, tryKill } from "./farewell.js";
import { encodePacket, PacketReader } from "../../process/pipe.js";
import type { ControlCommand, ControlReport } from "../messages.js";
import { isStarved, mainThread, type MainThread } from "./scheduling.js";
import { slot, type BridgeData, type BridgeMessage, type BridgeRequest } from "../state.js";

/** Time that cell code may take to stop by itself before V8 stops it. */
const politeMs = 300;
/** A cell that has not started by then waits for what runs before it. */
const startMs = 150;
/** On a machine so busy that the cell gets no processor time meanwhile, it is given longer, up to this. */
const longestPoliteMs = 3_000;
/** Time that a timer or a handler of an earlier cell, at which the interrupt is not aimed, may take to give way. */
const giveWayMs = 1_000;
/** Time that a `finally` block or a handler may go on after the cell has noticed the interrupt. */
const cleanUpMs = 1_500;
/** Delay before an unnoticed termination is repeated: a loop of promises goes on if only one of its turns was hit. */
const repeatMs = 100;
/** Time that the main thread may take to clean up once it has noticed; twice as long each further time. */
const recoveryMs = 2_000;
/** A main thread that waits for a child process reaches no mark, so the child gets the signal soon. */
const signalMs = 50;

/** Time that a child process may take to end after the signal, before the cell is reported as waiting for it. */
const heedMs = 700;
/** Time that it may take at the second interrupt, which ends it. */
const secondHeedMs = 200;

/** Time that a write to the front end may delay the termination: the front end may be slow to read. */
const longestWriteMs = 1_000;
const longestCommand = 60;

const { state, controlFd, builtIn } = workerData as BridgeData;
const port = parentPort!;

const control = new Socket({ fd: controlFd, readable: true, writable: true });
const report = (body: ControlReport): boolean => control.write(encodePacket<ControlReport>(body));
const reportMissed = (): boolean => report({ t: "missed", number: Atomics.load(state, slot.taken) });
const reader = new PacketReader<ControlCommand>(({ body }) => {
  switch (body.t) {
    case "interrupt":
      return whenStarted(body.serial, () => interrupt(body.serial));
    case "debug": {
      const { id, request } = body;
      return void debug.adapter.answer(request).then((response) => report({ t: "debug", id, response }));
    }
    case "taken":
      return void report({ t: "taken", number: Atomics.load(state, slot.taken) });
    case "members": {
      const { id, expression } = body;
      const send = (names: string[]): boolean => report({ t: "members", id, names });
      return void debug.members(expression).then(send, () => send([]));
    }
    default:
      body satisfies never;
  }
});
const debug = startDebugger(state, builtIn, {
  emit: (event) => report({ t: "event", event }),
  interrupting: () => Atomics.load(state, slot.stop) !== 0,
});
port.on("message", (message: BridgeRequest) => {
  switch (message.t) {
    case "exit":
      return debug.disconnect();
    case "missed":
      return void reportMissed();
    case "cell":
      void debug.adapter.onCell(message.script).finally(() => {
        breakpointsSet = { t: "breakpointsSet", name: message.script.name };
        tell(breakpointsSet);
      });
      return;
    default:
      message satisfies never;
  }
});
control.on("data", (chunk: Buffer) => reader.push(chunk));
control.on("error", endWithFront);
control.on("end", endWithFront);

/** The last message of this kind. */
let breakpointsSet: BridgeMessage | undefined;

/** Asks what the cell has started to stop, the parents first: a shell whose command has ended would go on with the next one. */
function signalChildren(): void {
  for (const pid of descendants(process.pid).toReversed()) tryKill(pid, "SIGINT");
}

/**
 * Handles that the main thread waits for if it receives nothing and does not compute: V8 cannot end a wait for a child
 * process, and a child may ignore its signal.
 */
function holding(): number[] {
  return mainThread()?.runnable ? [] : descendants(process.pid);
}

/** A process as its user knows it. */
function described(pid: number): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    return `${words.length > longestCommand ? `${words.slice(0, longestCommand)}...` : words} (${pid})`;
  } catch {
    return String(pid);
  }
}

/**
 * The interrupt may overtake the cell that it is for, which comes through another pipe. If it does not start at all, the main
 * thread is held by what an earlier cell has left behind, such as a callback that does not return: that is stopped first.
 */
function whenStarted(serial: number, act: () => void): void {
  let held: { at: number; thread: MainThread | undefined } | undefined = {
    at: performance.now(),
    thread: mainThread(),
  };
  const look = (): void => {
    if (Atomics.load(state, slot.started) >= serial) {
      // What was stopped before the cell has nothing to do with how the cell itself takes it.
      if (!held) forgetLadder();
      return act();
    }
    const waited = held ? performance.now() - held.at : 0;
    if (held && waited > startMs && !(isStarved(held.thread, mainThread()) && waited < longestPoliteMs)) {
      held = undefined;
      interrupt(Atomics.load(state, slot.started));
    }
    setTimeout(look, 1);
  };
  look();
}

let ladder: NodeJS.Timeout[] = [];
let terminations = 0;
/** Whether what the current ladder was meant to stop has ended. */
let isOver = (): boolean => true;

function forgetLadder(): void {
  ladder.forEach(clearTimeout);
  ladder = [];
  isOver = () => true;
}

function tell(message: BridgeMessage): void {
  port.postMessage(message);
}

/** An interrupt that was sent while nothing ran does not mean the cell that has started since. */
function tellEarlier(started: number): void {
  tell({ t: "interrupt", started, earlier: true });
}

/**
 * The interrupt ladder: first a flag, which marks in cell code turn into an exception; then a signal to child processes;
 * last V8's termination, which no code of the cell can catch but which may leave a library in the middle of its work.
 *
 * It is for what the cells up to one are at: one that has started since is left alone.
 */
function interrupt(meant: number): void {
  const cell = Atomics.load(state, slot.running);
  const heardBefore = Atomics.load(state, slot.heard);
  const enteredBefore = Atomics.load(state, slot.entered);
  if (cell > meant || Atomics.load(state, slot.started) > meant) return tellEarlier(meant);
  // A second interrupt of the same cell; a ladder left over from an earlier cell does not count.
  const again = !isOver();
  ladder.forEach(clearTimeout);
  ladder = [];
  // In this order: whoever sees the flag knows by then whom it is for.
  Atomics.store(state, slot.insists, 0);
  Atomics.store(state, slot.meant, meant);
  Atomics.store(state, slot.stop, 1);
  if (Atomics.load(state, slot.started) > meant) {
    // Another cell has started between the two looks.
    Atomics.compareExchange(state, slot.stop, 1, 0);
    return tellEarlier(meant);
  }
  debug.adapter.release();
  tell({ t: "interrupt", started: meant });

  const over = (): boolean => {
    if (cell !== 0) return Atomics.load(state, slot.running) !== cell;
    // Where a cell or the handler of a message has started in the meantime, nothing holds the main thread any more.
    return (
      Atomics.load(state, slot.heard) !== heardBefore ||
      Atomics.load(state, slot.entered) !== enteredBefore ||
      Atomics.load(state, slot.running) !== 0
    );
  };
  isOver = over;
  const later = (ms: number, act: () => void): void => {
    ladder.push(
      setTimeout(() => {
        if (over()) {
          ladder.forEach(clearTimeout);
          ladder = [];
        } else act();
      }, ms),
    );
  };
  let patience = recoveryMs;
  let isTold = false;
  const onHeld = (): void => {
    if (again) for (const pid of holding()) tryKill(pid, "SIGKILL");
    else if (holding().length > 0) {
      const direct = holding().filter((pid) => parentOf(pid) === process.pid);
      report({ t: "held", processes: direct.map(described) });
    }
  };
  const terminate = (): void => {
    signalChildren();
    if (!isTold) later(again ? secondHeedMs : heedMs, onHeld);
    isTold = true;
    const heard = Atomics.load(state, slot.heard);
    terminateExecution(cell, over);
    later(repeatMs, () => {
      if (Atomics.load(state, slot.heard) === heard) return terminate();
      // A termination now would hit the main thread while it handles the last one, again and again if that takes
      // longer than this interval.
      later(patience - repeatMs, terminate);
      patience *= 2;
    });
  };
  if (again) return terminate();
  later(signalMs, () => {
    if (Atomics.load(state, slot.stop) === 1) signalChildren();
  });
  const asked = { at: performance.now(), of: mainThread() };
  const insist = (): void => {
    const starved = isStarved(asked.of, mainThread()) && performance.now() - asked.at < longestPoliteMs;
    if (Atomics.load(state, slot.stop) === 2) {
      // The cell has noticed but goes on: cleaning up, or in a handler that swallows everything. Ask once more.
      later(cleanUpMs / 2, () => {
        Atomics.store(state, slot.stop, 1);
        tell({ t: "interrupt", started: meant });
      });
      later(cleanUpMs, terminate);
    } else if (starved) later(politeMs / 3, insist);
    else if (!gaveWay && cell !== 0 && Atomics.load(state, slot.foreign) === 1) {
      // The cell only waits: to end what it waits for would cut off another cell's work, which is likely to end by itself.
      gaveWay = true;
      later(giveWayMs, () => {
        Atomics.store(state, slot.insists, 1);
        later(politeMs, insist);
      });
    } else terminate();
  };
  let gaveWay = false;
  later(politeMs, insist);
}

/**
 * V8 stops the main thread wherever it is, so it is asked to stay out of the pipe first: half a packet would make
 * all that follows unreadable.
 */
function terminateExecution(cell: number, over: () => boolean, patienceMs = longestWriteMs): void {
  for (const one of [slot.forced, slot.ending]) Atomics.store(state, one, 1);
  if (over()) {
    for (const one of [slot.forced, slot.ending]) Atomics.store(state, one, 0);
    return;
  }
  if (Atomics.load(state, slot.writing) === 1 && patienceMs > 0) {
    setTimeout(() => terminateExecution(cell, over, patienceMs - 1), 1);
    return;
  }
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", (error) => {
    session.disconnect();
    // An error says that V8 is still about to end something, for an earlier request.
    if (error) return;
    Atomics.store(state, slot.ending, 0);
    reportMissed();
    if (breakpointsSet) tell(breakpointsSet);
  });
  // V8 drops all pending promise jobs with the execution, but message events get through. If the main
  // thread was idle, V8 ends the first such event, so there is a second.
  const started = Atomics.load(state, slot.started);
  const told: BridgeMessage = { t: "terminated", serial: cell, started, count: ++terminations };
  tell(told);
  setTimeout(() => tell(told), 20);
}
