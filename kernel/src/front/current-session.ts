import type { JsonObject } from "../protocol/message.js";
import type { SessionCommand } from "../session/messages.js";
import type { Session, SessionEvents, Sessions } from "./host.js";
import { SpareSession } from "./spare-session.js";

/** The session that runs the cells: always one, since a new one takes the place of one that dies. */
export class CurrentSession {
  private readonly spare: SpareSession;
  private session: Session;

  constructor(
    sessions: Sessions,
    private readonly events: SessionEvents,
  ) {
    this.spare = new SpareSession(sessions);
    this.session = this.start();
  }

  send(command: SessionCommand, buffers?: readonly Uint8Array[]): void {
    this.session.send(command, buffers);
  }

  interrupt(): void {
    this.session.interrupt();
  }

  /** Hands a request of a debugger to the session. */
  debug(request: JsonObject): Promise<JsonObject> {
    return this.session.debug(request);
  }

  /** The names of what a value of the session has. */
  members(expression: string): Promise<string[]> {
    return this.session.members(expression);
  }

  /** Gets a spare session ready, so that a new one is available immediately. */
  prepareSpare(): void {
    this.spare.prepareSoon();
  }

  /** Replaces the session with a new one and returns the old one, whose reports no longer count. */
  replace(): Session {
    const old = this.session;
    this.session = this.start();
    return old;
  }

  async stop(o: { now?: boolean }): Promise<void> {
    await Promise.all([this.session.stop(o), this.spare.stop()]);
  }

  private start(): Session {
    const { events } = this;
    const current = (): boolean => this.session === session || this.session === undefined;
    const session: Session = this.spare.take({
      onReport: (report, buffers) => {
        if (current()) events.onReport(report, buffers);
      },
      // What native code wrote at its end is still read when the session has been replaced.
      onRawOutput: (name, text) => events.onRawOutput(name, text),
      onHeld: (processes) => {
        if (current()) events.onHeld(processes);
      },
      onDebugEvent: (event) => {
        if (current()) events.onDebugEvent(event);
      },
      onDeath: (how) => {
        if (current()) events.onDeath(how);
      },
    });
    return session;
  }
}
