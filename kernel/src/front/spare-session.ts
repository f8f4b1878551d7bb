import type { Session, SessionEvents, Sessions } from "./host.js";
import { yieldToEventLoop } from "./yieldToEventLoop.js";

// By then the libraries of the first cells are loaded: the spare takes no time away from them.
const quietMs = 3_000;

/**
 * A session that has started and waits, so that a new one is available immediately when the running one dies or is replaced.
 * It costs the memory of an idle session.
 */
export class SpareSession {
  private waiting: { session: Session; events: SwitchableEvents } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly sessions: Sessions) {}

  /** Starts the spare once no cell has run for a while. */
  prepareSoon(): void {
    if (!this.sessions.spare || this.waiting || this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.prepare(), quietMs);
  }

  /** The spare, or a new session where there is none. */
  take(events: SessionEvents): Session {
    clearTimeout(this.timer);
    const { waiting } = this;
    this.waiting = undefined;
    if (!waiting) return this.sessions.open(events);
    waiting.events.switchTo(events);
    return waiting.session;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.waiting?.session.stop({ now: true });
    this.waiting = undefined;
  }

  private prepare(): void {
    if (this.waiting || this.stopped) return;
    const events = new SwitchableEvents(() => {
      if (this.waiting?.events === events) this.waiting = undefined;
    });
    this.waiting = { session: this.sessions.open(events), events };
  }
}

/** Keeps what a spare reports until somebody listens. */
class SwitchableEvents implements SessionEvents {
  private listener: SessionEvents | undefined;
  private readonly kept: ((events: SessionEvents) => void)[] = [];

  constructor(private readonly onEarlyDeath: () => void) {}

  switchTo(events: SessionEvents): void {
    this.listener = events;
    // Not immediately: the caller does not hold the session that reports here yet.
    yieldToEventLoop(() => this.kept.splice(0).forEach((tell) => tell(events)));
  }

  readonly onReport: SessionEvents["onReport"] = (report, buffers) =>
    this.tell((events) => events.onReport(report, buffers));
  readonly onRawOutput: SessionEvents["onRawOutput"] = (name, text) =>
    this.tell((events) => events.onRawOutput(name, text));
  readonly onHeld: SessionEvents["onHeld"] = (processes) => this.tell((events) => events.onHeld(processes));
  readonly onDebugEvent: SessionEvents["onDebugEvent"] = (event) =>
    this.tell((events) => events.onDebugEvent(event));
  readonly onDeath: SessionEvents["onDeath"] = (how) => {
    if (!this.listener) this.onEarlyDeath();
    this.tell((events) => events.onDeath(how));
  };

  private tell(act: (events: SessionEvents) => void): void {
    if (this.listener && this.kept.length === 0) act(this.listener);
    else this.kept.push(act);
  }
}
