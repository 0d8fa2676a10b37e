// Publishes messages to streams, and matches the servers' acknowledgements to them. Sends all messages of an event loop turn in one
// write, with one subscription and one timer. That takes half the time that the library's requests take.

import { type NatsResponse, parseResponse, toNatsFault } from './nats-fault.ts';
import type { NatsFault, NatsPublished, NatsPublishOptions } from './world.ts';

type Result = NatsPublished | NatsFault;

interface PendingMessage extends NatsPublishOptions {
  readonly subject: string;
  readonly payload: Uint8Array | string;
  /** The subject for its acknowledgement. */
  readonly reply: string;
  readonly index: number;
  readonly resolve: (result: Result) => void;
  remainingChecks: number;
}

/** The precision of time limits. Counts checks: a process that was stopped first reads what has arrived. */
const checkMs = 100;

export class NatsPublisher {
  readonly #inbox: string;
  readonly #send: (message: PendingMessage) => void;
  /** Not a Map: see receiver/intake/storing-limit.ts. */
  readonly #pending: (PendingMessage | undefined)[] = [];
  readonly #freeIndexes: number[] = [];
  readonly #unsent: PendingMessage[] = [];
  #count = 0;
  #isCheckDue = false;

  /** `send` passes a message to the library, or throws. */
  constructor(inbox: string, send: (message: PendingMessage) => void) {
    this.#inbox = inbox;
    this.#send = send;
  }

  publish(subject: string, payload: Uint8Array | string, options: NatsPublishOptions): Promise<Result> {
    return new Promise((resolve) => {
      const index = this.#freeIndexes.pop() ?? this.#pending.length;
      // A new number each time: a late acknowledgement must not count for another message.
      const reply = `${this.#inbox}.${index}-${++this.#count}`;
      // One more, because the next check may be about to happen.
      const remainingChecks = 1 + Math.ceil(options.timeoutMs / checkMs);
      const message = { ...options, subject, payload, index, reply, resolve, remainingChecks };
      this.#pending[index] = message;
      if (this.#unsent.push(message) === 1) setImmediate(() => this.#sendAll());
      if (!this.#isCheckDue) this.#scheduleCheck();
    });
  }

  /** Handles a message that arrives in the inbox. */
  acknowledge(response: NatsResponse): void {
    const message = this.#pending[Number.parseInt(response.subject.slice(this.#inbox.length + 1), 10)];
    if (message?.reply === response.subject) this.#finish(message, toPublished(response));
  }

  /** Fails the messages of this subject; without one, all messages. */
  fail(fault: NatsFault, subject?: string): void {
    for (const message of this.#pending)
      if (message && (subject ?? message.subject) === message.subject) this.#finish(message, fault);
  }

  #sendAll(): void {
    for (const message of this.#unsent.splice(0))
      if (this.#pending[message.index] === message)
        try {
          this.#send(message);
        } catch (error) {
          this.#finish(message, toNatsFault(error));
        }
  }

  #finish({ index, resolve }: PendingMessage, result: Result): void {
    this.#pending[index] = undefined;
    this.#freeIndexes.push(index);
    resolve(result);
  }

  #scheduleCheck(): void {
    this.#isCheckDue = true;
    setTimeout(() => {
      this.#isCheckDue = false;
      for (const message of this.#pending)
        if (message && --message.remainingChecks <= 0)
          this.#finish(message, { fault: 'timeout', detail: 'no acknowledgement in time' });
      if (this.#freeIndexes.length < this.#pending.length) this.#scheduleCheck();
    }, checkMs);
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
