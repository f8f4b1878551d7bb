/** The part of a ZeroMQ socket that sends. */
export interface Sender {
  send(frames: Buffer[]): Promise<void>;
}

/**
 * Sends messages in order through a socket that allows one send at a time.
 *
 * With an unlimited high-water mark nothing is dropped: whatever the peer has not read yet waits in memory.
 */
export class Outbox {
  private readonly queue: Buffer[][] = [];
  private sending: Promise<void> | undefined;

  constructor(private readonly socket: Sender) {}

  /** Queues frames; they leave in the order of the calls. */
  push(frames: Buffer[]): void {
    this.queue.push(frames);
    this.sending ??= this.drain();
  }

  /** Sends frames before all that still waits. */
  pushFirst(frames: Buffer[]): void {
    this.queue.unshift(frames);
    this.sending ??= this.drain();
  }

  /** Resolves when everything queued so far has been handed to the socket. */
  async flush(): Promise<void> {
    while (this.sending) await this.sending;
  }

  private async drain(): Promise<void> {
    try {
      for (let frames = this.queue.shift(); frames; frames = this.queue.shift()) {
        try {
          await this.socket.send(frames);
        } catch {
          // The peer of a ROUTER may be gone, or the socket closed at shutdown: this message has no reader.
        }
      }
    } finally {
      this.sending = undefined;
    }
  }
}
