import { setImmediate } from "node:timers/promises";
import * as zmq from "zeromq";

const SUBSCRIBE = 6;
const UNSUBSCRIBE = 7;

/**
 * A publisher that decides itself when a subscription begins to hold.
 *
 * ZeroMQ otherwise lets it hold as soon as it arrives, so that a message that is on its way out reaches a subscriber before its welcome.
 */
export class Publisher extends zmq.XPublisher {
  constructor(options: zmq.SocketOptions<zmq.XPublisher>) {
    super({ ...options, manual: true });
  }

  /** Lets each subscription hold, and calls `welcome` with its topic: what is sent then is the first message that the peer gets. */
  async follow(welcome: (topic: Buffer) => void): Promise<void> {
    for (;;) {
      // ZeroMQ means the peer whose request was received last, and forgets it when anything is sent while a peer leaves. So nothing
      // may come between: a request is received on a turn of its own, where no other code waits to go on before this one.
      await setImmediate();
      const [request] = await this.receive();
      const topic = request.subarray(1);
      if (request[0] === 1) {
        this.setStringOption(SUBSCRIBE, topic);
        welcome(topic);
      } else if (request[0] === 0) this.setStringOption(UNSUBSCRIBE, topic);
    }
  }
}
