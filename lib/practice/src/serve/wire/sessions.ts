import { createRng } from "turnwise/internal/base/rng";
import type { Env } from "turnwise/internal/env/env";
import { WorldSession, type WorldParts } from "../world/worldSession";
import { Refusal } from "./refusal";

/** A client's session: its own world, for as long as it is used. */
export interface Session {
  readonly id: string;
  readonly world: WorldSession;
  /** Milliseconds of the server's clock. */
  lastUsed: number;
  /** Called when it has been idle for too long; a WebSocket that holds the session sets it. */
  onIdle?: (() => void) | undefined;
  /** Whether it ends with the WebSocket that holds it. */
  closing?: boolean;
}

export interface SessionLimits {
  readonly sessions: number;
  readonly idleMs: number;
}

interface Making {
  readonly make: () => Env;
  readonly parts: WorldParts;
  /** Episodes without a seed of their own follow from this one. */
  readonly seed: number;
  readonly newId: () => string;
  readonly now: () => number;
}

/** All sessions of a server. */
export class Sessions {
  readonly #open = new Map<string, Session>();
  #count = 0;

  constructor(
    private readonly making: Making,
    readonly limits: SessionLimits,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** @throws {Refusal} if there are as many as may be, or the world cannot be made */
  open(): Session {
    const { sessions } = this.limits;
    if (this.#open.size >= sessions) {
      throw new Refusal(
        "CAPACITY_REACHED",
        `Cannot open a session: at most ${sessions} may be open, and all are in use. Try again later.`,
        { active_sessions: this.#open.size, max_sessions: sessions },
      );
    }
    const session: Session = { id: this.making.newId(), world: this.fresh(), lastUsed: this.making.now() };
    this.#open.set(session.id, session);
    return session;
  }

  /** A world for a single request. */
  fresh(): WorldSession {
    const { make, parts, seed, newId } = this.making;
    const index = this.#count++;
    const seeds = createRng(seed).split("serve", index);
    let episode = 0;
    const nextSeed = (): number => seeds.split("episode", episode++).below(4294967296);
    return new WorldSession(made(parts.spec.id, make), parts, nextSeed, newId);
  }

  /** @throws {Refusal} if no session has this id */
  used(id: string): Session {
    const session = this.#open.get(id);
    if (!session) {
      throw new Refusal(
        "SESSION_ERROR",
        "Cannot use the session: it must be open, but its id is unknown, or it was idle for too long.",
      );
    }
    this.touch(session);
    return session;
  }

  touch(session: Session): void {
    session.lastUsed = this.making.now();
  }

  close(session: Session): void {
    if (this.#open.delete(session.id)) session.world.close();
  }

  /** Ends what has been idle for too long. */
  sweep(): void {
    const latest = this.making.now() - this.limits.idleMs;
    for (const session of [...this.#open.values()]) {
      if (session.lastUsed > latest) continue;
      session.onIdle?.();
      this.close(session);
    }
  }

  closeAll(): void {
    for (const session of [...this.#open.values()]) this.close(session);
  }
}

function made(id: string, make: () => Env): Env {
  try {
    return make();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Refusal("FACTORY_ERROR", `Cannot open a session: ${id} must be made: ${said}`, {
      factory_name: id,
    });
  }
}
