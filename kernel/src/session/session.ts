// One file because the way of a cell from its command to its report is one, and what may cut it off must know each step of it.
import type { ErrorContent, JsonObject } from "../protocol/message.js";
import { Comms } from "./comms.js";
import { Displays } from "./displays.js";
import { ErrorFormatter, type CellSource } from "./errors.js";
import { evaluateExpressions } from "./expressions.js";
import { declared } from "./declared.js";
import type { CellImports } from "./cell-imports.js";
import type { Evaluation, Failed } from "./evaluation.js";
import { installCellNames } from "./cell-names.js";
import { denoDisplay } from "../types/foreign-specifier.js";
import { denoOfCells, type Broadcast, type DenoOfCells } from "./deno.js";
import { ResultsByHand } from "./results-by-hand.js";
import { installGlobals } from "./globals.js";
import { installHosts } from "./hosts.js";
import type { SessionHost } from "./host.js";
import { Inputs } from "./inputs.js";
import { Interrupts, KernelInterrupt } from "./interrupt.js";
import type { ExecuteCommand, SessionCommand, SessionReport } from "./messages.js";
import { Output } from "./output.js";
import { Magics } from "./magics.js";
import { keepLargeIn } from "../display/large.js";
import { limits } from "../display/settings.js";
import { installRuntime, type Runtime } from "./runtime.js";
import { Results } from "./results.js";
import { slot, type BridgeMessage, type BridgeRequest } from "./state.js";
import { resetEngine, openScopes } from "./tensor-engine.js";
import { SafeMap } from "./safe-collections.js";
import { CellTimers } from "./timers.js";
import { Overwrites } from "./overwrites.js";
import { tslabModule } from "./tslab-module.js";

type Termination = Extract<BridgeMessage, { t: "terminated" }>;

interface Running {
  command: ExecuteCommand;
  /** The script has ended; its value or error is being shown. */
  settled: boolean;
  /** Scopes of TensorFlow.js that were open before. */
  scopes: number;
}

// Enough cells for any notebook; a soak of thousands must not keep them all.
const keptSources = 2_000;

/** The main thread of a session: runs one cell after the other and shows their values. */
export class CellSession {
  /** Reads commands that have arrived while the event loop is blocked. */
  pollCommands: () => void = () => undefined;
  /** Announces to the bridge worker that a cell is about to run, or the process to exit. */
  announce: (message: BridgeRequest) => void = () => undefined;

  private readonly runtime = { c: "", v: undefined } as Runtime;
  private readonly output: Output;
  /** The channels between objects of the session and the front end. */
  readonly comms: Comms;
  private readonly imports: CellImports;
  private readonly interrupts: Interrupts;
  private readonly displays: Displays;
  private readonly cells = new Map<string, CellSource>();
  private readonly errors: ErrorFormatter;
  private readonly inputs: Inputs;
  private readonly magics: Magics;
  private readonly results = new Results();
  private readonly byHand: ResultsByHand;
  /** The numbers of cells by their ids. */
  private readonly counts = new SafeMap<string, number>();
  private overwrites: Overwrites | undefined;
  private running: Running | undefined;
  /** The cell that waits for its breakpoints. */
  private unstarted: { readonly command: ExecuteCommand; readonly taken: () => void } | undefined;
  /** The cell whose first stretch, up to its first wait, is under way: where V8 cuts that off, it stays. */
  private entering: ExecuteCommand | undefined;
  private serial = 0;
  /** The last termination that was cleaned up after. */
  private cleaned = 0;

  constructor(
    private readonly state: Int32Array,
    private readonly host: SessionHost,
  ) {
    const { folder, provided } = host;
    this.errors = new ErrorFormatter(this.cells, () => this.imports, host.stacks);
    const currentCell = (): string => this.runtime.c;
    const setCell = this.setCell;
    this.output = new Output(host.outlet, currentCell, () =>
      this.overwrites?.isTesting ? false : this.overwrites?.lend(),
    );
    host.captureConsole(this.output, () => this.displays.clear(false));
    const timers = new CellTimers(currentCell, setCell);
    timers.install();
    this.interrupts = new Interrupts(
      state,
      currentCell,
      setCell,
      (cell) => timers.cancel(cell),
      () => timers.cells(),
      (error, site) => {
        const giveBack = this.overwrites?.lend();
        this.errors.stacks.awaited(error, site);
        giveBack?.();
      },
      () => this.overwrites?.keepTurning(),
      () => this.running?.command.cell,
    );
    this.displays = new Displays(this.output, currentCell, {
      wait: <T>(promise: Promise<T>) => this.interrupts.wait(promise) as Promise<T>,
      onError: (error) => this.onStrayError(error),
    });
    this.comms = new Comms(this.output, (messageId, run) => this.inNameOf(messageId, run));
    const imports = (this.imports = host.imports(this.errors.stacks, {
      "turnwise-kernel": () => provided.kernel(),
      tslab: () => tslabModule(this.output, () => provided.versions()),
      [denoDisplay]: () => ({ ...deno().jupyter }),
    }));
    const deno = (): DenoOfCells => {
      // The kernel's own knows the comms that a message opens or closes.
      const { broadcast } = provided.kernel() as { broadcast?: Broadcast };
      const publish: Broadcast = (type, content, o) => this.output.publish(type, content, o);
      return denoOfCells(provided.deno?.() ?? {}, broadcast ?? publish) as DenoOfCells;
    };
    const poll = (): void => {
      this.pollCommands();
      this.interrupts.tick();
    };
    this.inputs = new Inputs({
      output: this.output,
      running: () => this.running?.command,
      poll,
      mustWait: () => host.mustWait(),
      rest: (ms) => host.rest(ms),
    });
    this.magics = new Magics({
      folder,
      magics: host.magics,
      currentCell,
      print: (cell, name, text) => this.output.stream(name, text, cell),
      display: (value) => this.displays.show(value, {}),
      variables: () => host.variables(),
      tick: this.interrupts.tick,
      onInterrupt: (run) => this.interrupts.listen(run),
    });
    this.errors.stacks.install();
    installRuntime(this.interrupts, imports, this.runtime, this.magics.run, host, setCell);
    installGlobals(imports, host);
    this.byHand = new ResultsByHand(this.output, currentCell, (cell) => this.counts.get(cell));
    const module = { exports: {} };
    installCellNames({
      Deno: deno,
      module: () => module,
      exports: () => module.exports,
    });
    Object.defineProperties(globalThis, {
      $$: { value: this.byHand.api, writable: true, configurable: true },
      ...withConfigurable(this.byHand.former),
    });
    keepLargeIn(folder);
    host.installStdin({
      cell: () => this.running?.command.cell ?? "",
      asks: () => this.output.midLine,
      ask: () => this.inputs.ask(""),
    });
    limits.onChange = (values) => this.output.send({ t: "settings", values });
    installHosts({
      displays: this.displays,
      comms: this.comms,
      output: this.output,
      interrupts: this.interrupts,
      help: (asked, cells) => provided.help(asked, cells),
      cells: () => [...this.cells].map(([name, { source }]) => [name, source] as const),
      inputs: this.inputs,
      poll,
      onError: (error) => this.onStrayError(error),
    });
    // The widget classes are loaded when the first one is made, or when a page asks for those there are.
    this.comms.registerTarget("jupyter.widget.control", (comm) => provided.widgets().serveWidgetStates(comm));
    this.comms.registerTarget("jupyter.widget", (comm, opening) =>
      provided.widgets().takeWidget(comm, opening),
    );
    // Only here, where all that the session replaces itself is in place.
    this.overwrites = new Overwrites(this.errors, (cell) => {
      const count = this.counts.get(cell);
      return count === undefined ? "a handler" : `cell [${count}]`;
    });
    this.output.send({ t: "ready", pid: host.id });
  }

  /** Whether a cell is under way. */
  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** @param taken called where what the command asks for begins: until then, it has had no effect and may come again */
  onCommand(command: SessionCommand, buffers: Buffer[], taken: () => void = () => undefined): void {
    if (this.running) return this.asBefore(() => this.receive(command, buffers, taken));
    this.overwrites?.look();
    this.tellOthers();
    try {
      this.receive(command, buffers, taken);
    } catch (error) {
      if (command.t !== "execute" || !this.overwrites?.isBroken) throw error;
      this.cannotRun(command.cell);
    }
  }

  /** Ends a cell that does not even start, as an earlier one has broken for good what starts it. */
  private cannotRun(cell: string): void {
    const ename = "OverwrittenBuiltIn";
    const evalue =
      "Cannot run the cell: the kernel must be able to rely on the built-in functions, but one that an earlier cell has replaced " +
      "could not be put back. Restart the kernel.";
    const error = { ename, evalue, traceback: [`${ename}: ${evalue}`] };
    this.running = undefined;
    // The front counts it as well, whether or not it has begun.
    if (this.entering?.cell !== cell) this.serial++;
    this.entering = undefined;
    Atomics.store(this.state, slot.started, this.serial);
    Atomics.store(this.state, slot.running, 0);
    this.output.send({ t: "done", cell, error, expressions: {} });
  }

  private receive(command: SessionCommand, buffers: Buffer[], taken: () => void): void {
    switch (command.t) {
      case "execute":
        return this.execute(command, taken);
      case "input":
        taken();
        return this.inputs.answer(command.value);
      case "comm":
        taken();
        return this.comms.receive(command, buffers);
      case "settings":
        limits.values = command.values;
        return;
      case "exit":
        this.displays.close();
        return this.host.exit();
      default:
        command satisfies never;
    }
  }

  onBridge(message: BridgeMessage): void {
    // It starts a cell.
    if (message.t === "breakpointsSet") this.hear(message);
    else this.asBefore(() => this.hear(message));
  }

  private hear(message: BridgeMessage): void {
    switch (message.t) {
      case "interrupt":
        this.state[slot.heard]!++;
        // Sent while nothing ran, or heard after a cell has started that came later: none of that cell's questions is meant either.
        if (message.earlier || message.started < this.state[slot.started]!)
          return this.interrupts.wakeOthers(this.running?.command.cell, message.started);
        // V8 has ended the cell already: the message that says so is on its way, and is the right one.
        if (this.running && this.state[slot.forced] === 1) return;
        // A mark may have put the flag back as one of an earlier interrupt, at the very moment at which this one set it.
        if (this.running && this.state[slot.stop] === 0) this.state[slot.stop] = 1;
        this.interrupts.onMessage(this.running?.command.cell, message.started);
        return this.inputs.interrupt();
      case "breakpointsSet":
        if (this.unstarted?.command.name === message.name) this.begin(this.unstarted);
        return;
      case "terminated":
        this.state[slot.heard]!++;
        this.state[slot.forced] = 0;
        // Where the inspector has not answered that it has done so.
        this.state[slot.ending] = 0;
        if (message.count === this.cleaned) return;
        this.onTermination(message);
        // Only here, as V8 may have cut the first of the two messages off.
        this.cleaned = message.count;
        return;
      default:
        message satisfies never;
    }
  }

  /**
   * A termination that was meant for what ran before a cell may have met that cell as it started. What was meant for a
   * callback between two cells, and is heard of after the second one has run, must not meet what that one has begun.
   */
  private onTermination({ serial, started }: Termination): void {
    const { entering } = this;
    this.entering = undefined;
    this.overwrites?.abandon();
    const isOver = serial === 0 && started !== this.state[slot.started];
    const isStarted = entering !== undefined && this.running?.command === entering;
    if (isStarted || (serial === this.state[slot.running] && !isOver)) this.onTerminated();
    if (entering && !isStarted) this.start(entering);
  }

  private onTerminated(): void {
    this.host.evaluator.abandon();
    this.state[slot.stop] = 0;
    this.inputs.interrupt();
    this.imports.forgetLoading();
    const reset = resetEngine(this.running?.scopes ?? 0);
    const terminated = new KernelInterrupt(
      "The cell was terminated, since it did not stop by itself. A library that was running may be left in an " +
        `inconsistent state; if it misbehaves, restart the kernel${reset ? ". TensorFlow.js was reset" : ""}`,
    );
    this.interrupts.wake(this.running?.command.cell, terminated, { force: true });
    const { running } = this;
    // Even if the script had ended, as its promise jobs may be among those that V8 dropped.
    if (running) this.done(running, { error: this.errors.format(terminated), expressions: {} });
  }

  /** An error that no cell awaits: from a timer, an event, or a promise without a handler. */
  onStrayError(error: unknown): void {
    if (!this.running) {
      this.overwrites?.look();
      this.tellOthers();
    }
    if (error instanceof KernelInterrupt || (this.running && this.byHand.fails(error))) return;
    this.asBefore(() => {
      const { ename, evalue, traceback } = this.errors.format(error);
      const text = `Uncaught ${traceback.join("\n")}\n`;
      this.output.uncaught(text, ename, evalue);
    });
  }

  /** Sets the cell with the running code: when it changes, replacements so far belong to the one before. */
  private readonly setCell = (cell: string): void => {
    if (cell === this.runtime.c) return;
    const running = this.running?.command.cell;
    this.overwrites?.leave(this.runtime.c, running);
    this.runtime.c = cell;
    this.state[slot.foreign] = running === undefined || running === cell ? 0 : 1;
  };

  /** Works as if the cell that runs had replaced no built-in function, all of which it has again afterwards. */
  private asBefore(run: () => void): void {
    const giveBack = this.overwrites?.lend({ all: true });
    try {
      run();
    } finally {
      giveBack?.();
    }
  }

  /** Tells what code of earlier cells has replaced. */
  private tellOthers(): void {
    for (const { cell, error } of this.overwrites?.others(this.runtime.c) ?? []) {
      const { ename, evalue, traceback } = error;
      this.output.send({ t: "uncaught", cell, text: `${traceback.join("\n")}\n`, ename, evalue });
    }
  }

  private execute(asked: ExecuteCommand, taken: () => void): void {
    const renewed = this.imports.modules.renewed(asked);
    const command = declared(renewed, this.host.evaluator.missing(renewed.vars));
    this.imports.useAliases(command.aliases);
    this.remember(command);
    const { name, source, map, stale = [] } = command;
    // A library that grades what a cell hands to it looks here.
    Object.assign(globalThis, { [Symbol.for("turnwise.stale")]: stale });
    if (name.startsWith("cell_")) this.results.source(command.executionCount, source);
    this.announce({ t: "cell", script: { name, source, map } });
    if (this.state[slot.debugging] === 1) this.unstarted = { command, taken };
    else this.begin({ command, taken });
  }

  private begin({ command, taken }: { readonly command: ExecuteCommand; readonly taken: () => void }): void {
    taken();
    // The front counts the cells, too, and the numbers must agree. Nothing is called in between, where V8 could end it: a cell
    // is either sent again, or started again from `entering`.
    this.serial++;
    this.entering = command;
    this.unstarted = undefined;
    this.start(command);
  }

  private start(command: ExecuteCommand): void {
    this.entering = command;
    Atomics.store(this.state, slot.running, this.serial);
    const running: Running = { command, settled: false, scopes: openScopes() };
    this.running = running;
    this.output.midLine = false;
    this.runtime.c = command.cell;
    this.state[slot.foreign] = 0;
    this.runtime.v = undefined;
    // A stop that came before this cell, and whose message has not arrived yet.
    if (this.state[slot.stop] === 1) this.interrupts.wakeOthers(command.cell);
    this.state[slot.stop] = 0;
    Atomics.store(this.state, slot.started, this.serial);
    this.interrupts.begin(command.cell, this.serial);
    const pausable = this.state[slot.debugging] === 1;
    const ended = (): void => {
      this.setCell(command.cell);
      this.overwrites?.look();
    };
    this.host.evaluator.run(command.code, command.name, { pausable, ended }, (evaluation) => {
      if (this.running !== running || running.settled) return;
      running.settled = true;
      const value = this.runtime.v;
      this.runtime.v = undefined;
      void this.settle(running, evaluation, value);
    });
    this.entering = undefined;
  }

  private async settle(running: Running, evaluation: Evaluation, value: unknown): Promise<void> {
    const { command } = running;
    let error = evaluation.ok ? undefined : this.describe(this.host.explained(evaluation), command.name);
    try {
      if (evaluation.ok) await this.displays.settled(command.cell);
      const isShown = evaluation.ok && (await this.byHand.settled(command.cell, this.waitFor));
      if (evaluation.ok && !isShown && (await this.displays.result(command, value)))
        this.results.value(command.executionCount, value);
    } catch (thrown) {
      // The display method of a value is user code, too.
      error = this.errors.format(thrown);
    }
    const owed = this.interrupts.settle(command.cell) ?? this.unnoticed();
    if (owed && !error) error = this.errors.format(owed);
    const expressions = error
      ? {}
      : await evaluateExpressions(command, this.host.evaluator, this.runtime, (failed, script) =>
          this.describe(failed, script),
        );
    error = this.overwrites?.told(error, command.cell) ?? error;
    this.tellOthers();
    this.done(running, { error, expressions });
  }

  /** An interrupt that the cell has not noticed: it ended before its next mark, as after a child that an interrupt has ended. */
  private unnoticed(): KernelInterrupt | undefined {
    return this.state[slot.stop] === 1 && this.interrupts.isMeant() ? new KernelInterrupt() : undefined;
  }

  /** Waits for a promise as a cell does: an interrupt ends it. */
  private readonly waitFor = (promise: Promise<void>): Promise<void> =>
    this.interrupts.wait(promise) as Promise<void>;

  private done(running: Running, result: { error: ErrorContent | undefined; expressions: JsonObject }): void {
    if (this.running !== running) return;
    this.magics.end(running.command.cell);
    this.displays.flush();
    this.host.evaluator.release();
    if (result.error) this.host.evaluator.uncover();
    const done: SessionReport = {
      t: "done",
      cell: running.command.cell,
      error: result.error ?? null,
      expressions: result.expressions,
    };
    // Atomic with respect to V8's termination: that comes before both, and still finds a cell to report, or after both.
    this.output.send(done, [], () => {
      this.running = undefined;
      this.state[slot.stop] = 0;
      this.state[slot.foreign] = 0;
      Atomics.store(this.state, slot.running, 0);
    });
  }

  private describe(evaluation: Failed, script: string): ErrorContent {
    if ("thrown" in evaluation) return this.errors.format(evaluation.thrown);
    const { syntaxError, line, column } = evaluation;
    return this.errors.formatSyntaxError(syntaxError, script, line, column);
  }

  private inNameOf(messageId: string, run: () => void): void {
    const cell = this.runtime.c;
    this.setCell(messageId);
    try {
      run();
    } catch (error) {
      this.onStrayError(error);
    } finally {
      this.setCell(cell);
    }
  }

  private remember(command: ExecuteCommand): void {
    this.counts.set(command.cell, command.executionCount);
    if (this.counts.size > keptSources) this.counts.delete(this.counts.keys().next().value!);
    this.cells.set(command.name, { source: command.source, map: command.map });
    if (this.cells.size > keptSources) this.cells.delete(this.cells.keys().next().value!);
  }
}

const withConfigurable = (all: Readonly<Record<string, PropertyDescriptor>>): PropertyDescriptorMap =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, { ...one, configurable: true }]));
