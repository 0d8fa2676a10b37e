// Publishes messages to streams, and matches the servers' acknowledgements to them. Sends all messages of an event loop turn in one
// write, with one subscription and one timer. That takes half the time that the library's requests take.

import { toNatsFault } from './nats-fault.ts';
import type { NatsFault, NatsPublished, NatsPublishOptions } from './world.ts';

type Result = NatsPublished | NatsFault;

export interface Outgoing extends NatsPublishOptions {
  readonly subject: string;
  readonly payload: Uint8Array;
  /** The subject for its acknowledgement. */
  readonly reply: string;
}

interface Waiting extends Outgoing {
  readonly place: number;
  readonly resolve: (result: Result) => void;
  looksLeft: number;
}

/** The precision of time limits. Counts looks: a process that was stopped first reads what has arrived. */
const lookMs = 100;

export class NatsPublisher {
  readonly #inbox: string;
  readonly #send: (outgoing: Outgoing) => void;
  /** Indexed by place. Not a Map: see receiver/intake/storing-limit.ts. */
  readonly #waiting: (Waiting | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  #unsent: Waiting[] = [];
  #count = 0;
  #isLooking = false;

  /** `send` passes a message to the library, or throws. */
  constructor(inbox: string, send: (outgoing: Outgoing) => void) {
    this.#inbox = inbox;
    this.#send = send;
  }

  publish(subject: string, payload: Uint8Array, options: NatsPublishOptions): Promise<Result> {
    return new Promise((resolve) => {
      const place = this.#freePlaces.pop() ?? this.#waiting.length;
      // A new number each time: a late acknowledgement must not count for another message.
      const reply = `${this.#inbox}.${place}-${++this.#count}`;
      // One more, because the next look may be about to happen.
      const looksLeft = 1 + Math.ceil(options.timeoutMs / lookMs);
      const waiting = { ...options, subject, payload, place, reply, resolve, looksLeft };
      this.#waiting[place] = waiting;
      if (this.#unsent.push(waiting) === 1) setImmediate(() => this.#sendAll());
      if (!this.#isLooking) this.#lookLater();
    });
  }

  /** Handles a message that arrives in the inbox. */
  acknowledge(response: Response): void {
    const waiting = this.#waiting[Number.parseInt(response.subject.slice(this.#inbox.length + 1), 10)];
    if (waiting?.reply === response.subject) this.#finish(waiting, toPublished(response));
  }

  /** Fails the messages of this subject; without one, all messages. */
  fail(fault: NatsFault, subject?: string): void {
    for (const waiting of this.#waiting)
      if (waiting && (subject ?? waiting.subject) === waiting.subject) this.#finish(waiting, fault);
  }

  #sendAll(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const waiting of unsent)
      if (this.#waiting[waiting.place] === waiting)
        try {
          this.#send(waiting);
        } catch (error) {
          this.#finish(waiting, toNatsFault(error));
        }
  }

  #finish({ place, resolve }: Waiting, result: Result): void {
    this.#waiting[place] = undefined;
    this.#freePlaces.push(place);
    resolve(result);
  }

  #lookLater(): void {
    this.#isLooking = true;
    setTimeout(() => {
      this.#isLooking = false;
      for (const waiting of this.#waiting)
        if (waiting && --waiting.looksLeft <= 0)
          this.#finish(waiting, { fault: 'timeout', detail: 'no acknowledgement in time' });
      if (this.#freePlaces.length < this.#waiting.length) this.#lookLater();
    }, lookMs);
  }
}

interface Response {
  readonly subject: string;
  readonly data: Uint8Array;
  json<T>(): T;
}

function toPublished(response: Response): Result {
  if (response.data.length === 0) return { fault: 'no-quorum', detail: 'no server responds for the stream' };
  try {
    const { error, seq, duplicate } = response.json<{
      readonly seq?: number;
      readonly duplicate?: boolean;
      readonly error?: { readonly err_code: number; readonly description: string };
    }>();
    if (error) return toNatsFault(new Error(error.description), error.err_code);
    // Servers before 2.12 respond so for an id that is in progress. Newer ones have an error for it.
    if (seq === 0) return { fault: 'no-quorum', detail: 'the servers do not agree on it yet' };
    if (seq !== undefined) return { sequence: seq, isDuplicate: duplicate === true };
  } catch {
    // Not JSON.
  }
  return { fault: 'failed', detail: 'the response is not an acknowledgement' };
}
