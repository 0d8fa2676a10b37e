// Publishes messages to streams, and matches the servers' acknowledgements to them. Sends all messages of an event loop turn in one
// write, with one subscription. That takes half the time that the library's requests take.

import { type NatsResponse, parseResponse, toNatsFault } from './nats-fault.ts';
import type { NatsFault, NatsPublished, NatsPublishOptions } from './world.ts';

type Result = NatsPublished | NatsFault;

interface PendingMessage extends NatsPublishOptions {
  readonly subject: string;
  readonly payload: Uint8Array | string;
  /** The subject for its acknowledgement: a new one each time, so that a late acknowledgement does not count for another message. */
  readonly reply: string;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: Result) => void;
}

export class NatsPublisher {
  readonly #inbox: string;
  readonly #send: (message: PendingMessage) => void;
  readonly #pending = new Map<string, PendingMessage>();
  readonly #unsent: PendingMessage[] = [];
  #count = 0;

  /** `send` passes a message to the library, or throws. */
  constructor(inbox: string, send: (message: PendingMessage) => void) {
    this.#inbox = inbox;
    this.#send = send;
  }

  publish(subject: string, payload: Uint8Array | string, options: NatsPublishOptions): Promise<Result> {
    return new Promise((resolve) => {
      const reply = `${this.#inbox}.${++this.#count}`;
      const expire = () => this.#finish(message, { fault: 'timeout', detail: 'no acknowledgement in time' });
      // After a freeze, timers run before sockets are read: it may have arrived. The first turn asks for it, the second receives it.
      const timer = setTimeout(() => setImmediate(() => setImmediate(expire)), options.timeoutMs);
      const message = { ...options, subject, payload, reply, timer, resolve };
      this.#pending.set(reply, message);
      if (this.#unsent.push(message) === 1) setImmediate(() => this.#sendAll());
    });
  }

  acknowledge(response: NatsResponse): void {
    const message = this.#pending.get(response.subject);
    if (message) this.#finish(message, toPublished(response));
  }

  /** Fails the messages of this subject; without one, all messages. */
  fail(fault: NatsFault, subject?: string): void {
    for (const message of this.#pending.values())
      if ((subject ?? message.subject) === message.subject) this.#finish(message, fault);
  }

  #sendAll(): void {
    for (const message of this.#unsent.splice(0))
      if (this.#pending.has(message.reply))
        try {
          this.#send(message);
        } catch (error) {
          this.#finish(message, toNatsFault(error));
        }
  }

  #finish({ reply, timer, resolve }: PendingMessage, result: Result): void {
    clearTimeout(timer);
    this.#pending.delete(reply);
    resolve(result);
  }
}

function toPublished(response: NatsResponse): Result {
  if (response.data.length === 0) return { fault: 'no-quorum', detail: 'no server responds for the stream' };
  try {
    const answer = parseResponse<{ readonly seq?: number; readonly duplicate?: boolean }>(response);
    if ('fault' in answer) return answer;
    if (answer.seq) return { sequence: answer.seq, isDuplicate: answer.duplicate === true };
  } catch {
    // Not JSON.
  }
  return { fault: 'failed', detail: 'the response is not an acknowledgement' };
}
