import type { Message } from "../protocol/message.js";

interface Waiting {
  resolve(message: Message): void;
  reject(error: Error): void;
}

/** Matches replies to those who wait for them. */
export class Replies {
  private readonly waiting = new Map<string, Waiting>();

  /** Resolves with the reply to a message; rejects after `timeoutMs`, or if all replies are given up. */
  wait(messageId: string, what: string, timeoutMs?: number): Promise<Message> {
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              this.waiting.delete(messageId);
              reject(new Error(`Cannot get a reply to ${what} within ${timeoutMs} ms.`));
            }, timeoutMs);
      this.waiting.set(messageId, {
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  }

  settle(messageId: string, reply: Message): void {
    this.waiting.get(messageId)?.resolve(reply);
    this.waiting.delete(messageId);
  }

  giveUp(error: Error): void {
    for (const one of this.waiting.values()) one.reject(error);
    this.waiting.clear();
  }
}
