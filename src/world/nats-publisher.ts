// Publishes messages to streams, and matches the servers' acknowledgements to them. The library could do it, with more processor
// time: each of its requests is a write to the socket, and has a timer and several promises of its own. Here all messages of
// a turn of the event loop are one write, their acknowledgements come to one subscription, and one timer looks after all of them.

import { toNatsFault } from './nats-fault.ts';
import type { NatsFault, NatsPublished, NatsPublishOptions } from './world.ts';

export interface Outgoing extends NatsPublishOptions {
  readonly subject: string;
  readonly payload: Uint8Array;
}

type Result = NatsPublished | NatsFault;

interface Waiting {
  readonly outgoing: Outgoing;
  readonly place: number;
  /** Where its acknowledgement comes. */
  readonly reply: string;
  readonly resolve: (result: Result) => void;
  looksLeft: number;
}

/** How exact a time limit is. It counts looks, so that a process that was stopped first reads what has arrived meanwhile. */
const lookMs = 100;

export class NatsPublisher {
  readonly #inbox: string;
  readonly #send: (outgoing: Outgoing, reply: string) => NatsFault | undefined;
  /** By place. No Map: see receiver/storing-limit.ts. */
  readonly #waiting: (Waiting | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  #unsent: Waiting[] = [];
  #count = 0;
  #isLooking = false;

  /** `send` hands a message to the library; it returns why that does not take it. */
  constructor(inbox: string, send: (outgoing: Outgoing, reply: string) => NatsFault | undefined) {
    this.#inbox = inbox;
    this.#send = send;
  }

  publish(outgoing: Outgoing): Promise<Result> {
    return new Promise((resolve) => {
      const place = this.#freePlaces.pop() ?? this.#waiting.length;
      // With a number that none had before: a late acknowledgement must not pass for that of another message.
      const reply = `${this.#inbox}.${place}-${++this.#count}`;
      // The next look may come at once.
      const looksLeft = 1 + Math.ceil(outgoing.timeoutMs / lookMs);
      const waiting = { outgoing, place, reply, resolve, looksLeft };
      this.#waiting[place] = waiting;
      if (this.#unsent.push(waiting) === 1) setImmediate(() => this.#sendAll());
      if (!this.#isLooking) this.#lookLater();
    });
  }

  /** Handles what arrives in the inbox. */
  acknowledge(reply: string, result: Result): void {
    const waiting = this.#waiting[Number.parseInt(reply.slice(this.#inbox.length + 1), 10)];
    if (waiting?.reply === reply) this.#finish(waiting, result);
  }

  /** Fails the messages of this subject; by default, all. */
  fail(fault: NatsFault, subject?: string): void {
    for (const waiting of this.#waiting)
      if (waiting && (subject ?? waiting.outgoing.subject) === waiting.outgoing.subject)
        this.#finish(waiting, fault);
  }

  #sendAll(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const waiting of unsent) {
      if (this.#waiting[waiting.place] !== waiting) continue;
      const fault = this.#send(waiting.outgoing, waiting.reply);
      if (fault) this.#finish(waiting, fault);
    }
  }

  #finish({ place, resolve }: Waiting, result: Result): void {
    this.#waiting[place] = undefined;
    this.#freePlaces.push(place);
    resolve(result);
  }

  #lookLater(): void {
    this.#isLooking = true;
    setTimeout(() => this.#look(), lookMs);
  }

  #look(): void {
    this.#isLooking = false;
    for (const waiting of this.#waiting)
      if (waiting && --waiting.looksLeft <= 0)
        this.#finish(waiting, { fault: 'timeout', detail: 'no acknowledgement in time' });
    if (this.#freePlaces.length < this.#waiting.length) this.#lookLater();
  }
}

/** What the server responds for a stream. */
interface Response {
  readonly data: Uint8Array;
  json<T>(): T;
}

interface Acknowledgement {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly err_code: number; readonly description: string };
}

export function toPublished(response: Response): Result {
  if (response.data.length === 0) return { fault: 'no-quorum', detail: 'nobody responds for the stream' };
  try {
    const { error, seq, duplicate } = response.json<Acknowledgement>();
    if (error) return toNatsFault(new Error(error.description), error.err_code);
    // What servers from 2.10.14 on say of an id that is under way; newer ones have an error for it.
    if (seq === 0) return { fault: 'no-quorum', detail: 'the servers do not agree on it yet' };
    if (seq !== undefined) return { sequence: seq, isDuplicate: duplicate === true };
  } catch {
    // It is not JSON.
  }
  return { fault: 'failed', detail: 'the response is no acknowledgement' };
}
