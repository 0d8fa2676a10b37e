// Three servers in memory whose copies of a stream differ. What is read of the stream, and of that of progress, is what their leader has; a
// consumer hands out what the copy of its own server has, as those of NATS do. As with NATS 2.9, a leader compares before it sets, not at
// the same time, and one that has just been chosen may not know yet what was recorded last. A test says what goes wrong besides.

import type { ConsumerOptions } from '../../../src/receiver/sink/sink-consumers.ts';
import type { SinkForwarderOptions } from '../../../src/receiver/sink/sink-forwarder.ts';
import { recordsKept } from '../../../src/receiver/sink/sink-layout.ts';
import type { Clock, NatsFault, NatsMessage, NatsPulled, NatsStream } from '../../../src/world/world.ts';

/** What a copy has under a number: what the leader has, nothing, another message, or one of another partition. */
export type InCopy = 'there' | 'missing' | 'other' | 'of another partition';

export interface Stored extends NatsMessage {
  readonly copies: readonly InCopy[];
}

/** What may be lost on the way. `answer`: it was stored, and nobody hears of it. */
export type Losable = 'ack' | 'put back' | 'read' | 'publish' | 'answer';

export interface Trouble {
  /** Whether the next one of these is lost. */
  isLost: (what: Losable) => boolean;
  /** Of each server: the consumers that it leads do nothing. */
  frozen: readonly boolean[];
  /** For how long after a move a consumer has no leader: what is said to it is lost. */
  electionMs: number;
  /** As NATS 2.9 has it: what is in flight and not in the copy keeps its place, and nothing follows it. */
  keepsInFlight: boolean;
  /** Until this time (monotonic) the leader of the stream shows no more than this many messages. */
  stale: { readonly until: number; readonly messages: number };
}

export interface Servers {
  readonly nats: ConsumerOptions['nats'] & SinkForwarderOptions['nats'];
  readonly trouble: Trouble;
  /** How many messages were read. */
  reads(): number;
  store(message: Omit<Stored, 'sequence'>): void;
  move(consumer: string, server: number): void;
  /** It hands out this many again, as after the loss of what it had recorded. */
  handOutAgain(consumer: string, count: number): void;
  /**
   * The stream of progress has a new leader. For so long, or until the next record, it does not know so many of the last ones, as far as they
   * are recent.
   */
  elect(records: number, seconds: number): void;
  /** The stream loses so many of its last messages, with a quorum of its disks. */
  loseEnd(count: number): void;
  /** Somebody deletes the stream of progress, or that of deliveries, and creates it again. */
  recreate(which: 'progress' | 'deliveries'): void;
}

interface Consumer {
  readonly name: string;
  readonly subject: string;
  readonly ackWaitMs: number;
  server: number;
  ackFloor: number;
  next: number;
  inFlight: { readonly sequence: number; dueAt: number } | undefined;
  /** Then it has a leader. */
  ledAt: number;
}

/** How often a pull looks, on the clock of the test. */
const stepMs = 250;
/** What is older every server knows. */
const recentMs = 2_000;
/** How long a request waits whose answer is lost. */
const lostMs = 1_000;

const notFound: NatsFault = { fault: 'not-found', detail: 'no message found' };
const silence: NatsFault = { fault: 'timeout', detail: 'timeout' };

export function createServers(clock: Pick<Clock, 'now' | 'monotonic' | 'sleep' | 'after'>): Servers {
  const stored: Stored[] = [];
  let progress: NatsMessage[] = [];
  const consumers = new Map<string, Consumer>();
  let written = 0;
  /** What a new leader of the stream of progress does not know. */
  const unknown = { from: 0, until: 0 };
  let reads = 0;
  const trouble: Trouble = {
    isLost: () => false,
    frozen: [],
    electionMs: 0,
    keepsInFlight: false,
    stale: { until: 0, messages: 0 },
  };

  /** What the leader of the stream of progress has. */
  const known = () =>
    clock.monotonic() < unknown.until ? progress.filter(({ sequence }) => sequence < unknown.from) : progress;
  const records = (subject: string) =>
    known()
      .filter((one) => one.subject === subject)
      .slice(-recordsKept);

  const inCopy = ({ server, subject }: Consumer, from: number): NatsMessage | undefined => {
    for (const message of stored.slice(from - 1)) {
      const how = message.copies[server];
      const isOurs = message.subject === subject;
      if (how === 'there' && isOurs) return message;
      if (how === 'other' && isOurs) return { ...message, id: 'other', payload: new Uint8Array([1]) };
      if (how === 'of another partition' && !isOurs) return { ...message, subject, id: 'strange' };
    }
    return undefined;
  };
  const isLed = ({ server, ledAt }: Consumer) =>
    clock.monotonic() >= ledAt && trouble.frozen[server] !== true;
  const led = (consumer: Consumer | undefined): Consumer | NatsFault =>
    consumer === undefined ? notFound : isLed(consumer) ? consumer : silence;
  const move = (consumer: Consumer, server: number) => {
    consumer.server = server;
    consumer.ledAt = clock.monotonic() + trouble.electionMs;
  };

  /** What it hands out next. Where its copy ends, it goes on from there later, whatever comes into the copy before that. */
  const nextOf = (consumer: Consumer): NatsMessage | undefined => {
    const { inFlight } = consumer;
    if (inFlight === undefined) {
      const found = inCopy(consumer, consumer.next);
      const end = stored.findLast(({ copies }) => copies[consumer.server] !== 'missing')?.sequence ?? 0;
      if (!found) consumer.next = Math.max(consumer.next, end + 1);
      return found;
    }
    if (inFlight.dueAt > clock.monotonic()) return undefined;
    const found = inCopy(consumer, inFlight.sequence);
    if (found?.sequence === inFlight.sequence) return found;
    if (trouble.keepsInFlight) return undefined;
    consumer.inFlight = undefined;
    consumer.ackFloor = consumer.next - 1;
    return nextOf(consumer);
  };

  const handOut = (consumer: Consumer, message: NatsMessage): NatsPulled => {
    consumer.inFlight = { sequence: message.sequence, dueAt: clock.monotonic() + consumer.ackWaitMs };
    consumer.next = Math.max(consumer.next, message.sequence + 1);
    const wait = (milliseconds: number) => {
      if (isLed(consumer) && consumer.inFlight?.sequence === message.sequence)
        consumer.inFlight.dueAt = clock.monotonic() + milliseconds;
    };
    return {
      ...message,
      ack() {
        if (trouble.isLost('ack') || !isLed(consumer)) return;
        if (consumer.inFlight?.sequence !== message.sequence) return;
        consumer.ackFloor = consumer.next - 1;
        consumer.inFlight = undefined;
      },
      putBack(delayMs) {
        if (!trouble.isLost('put back')) wait(delayMs);
      },
      keep: () => wait(consumer.ackWaitMs),
    };
  };

  const visible = () =>
    clock.monotonic() < trouble.stale.until ? stored.slice(0, trouble.stale.messages) : stored;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const describe = (consumer: Consumer) => {
    const isLeft = inCopy(consumer, consumer.next) !== undefined;
    const unacknowledged = (isLeft ? 1 : 0) + (consumer.inFlight ? 1 : 0);
    return { name: consumer.name, ackFloor: consumer.ackFloor, unacknowledged, weakness: undefined };
  };

  return {
    trouble,
    reads: () => reads,
    store(message) {
      stored.push({ ...message, sequence: stored.length + 1 });
    },
    move(name, server) {
      const consumer = consumers.get(name);
      if (consumer) move(consumer, server);
    },
    handOutAgain(name, count) {
      const consumer = consumers.get(name);
      if (!consumer) return;
      consumer.next = Math.max(1, consumer.next - count);
      consumer.ackFloor = Math.min(consumer.ackFloor, consumer.next - 1);
      consumer.inFlight = undefined;
    },
    elect(records, seconds) {
      const recent = progress.slice(-records).find(({ time }) => clock.now() - time < recentMs);
      if (recent)
        Object.assign(unknown, { from: recent.sequence, until: clock.monotonic() + seconds * 1_000 });
    },
    loseEnd(count) {
      stored.length -= count;
    },
    recreate(which) {
      if (which === 'progress') {
        progress = [];
        return;
      }
      stored.length = 0;
      for (const consumer of consumers.values())
        Object.assign(consumer, { ackFloor: 0, next: 1, inFlight: undefined });
    },
    nats: {
      outage: () => undefined,
      changeServer: async () => {},
      async stream(name) {
        return { ...emptyStream, name, lastSequence: visible().length, messages: visible().length };
      },
      async consumers() {
        return [...consumers.values()].map(describe);
      },
      async createConsumer(_stream, { name, subject, ackWaitMs, from }) {
        consumers.set(name, {
          name,
          subject,
          ackWaitMs,
          server: 0,
          ackFloor: from - 1,
          next: from,
          inFlight: undefined,
          ledAt: 0,
        });
        return true;
      },
      async consumer(_stream, name) {
        const consumer = led(consumers.get(name));
        return 'fault' in consumer ? consumer : describe(consumer);
      },
      async moveConsumer(_stream, name) {
        const consumer = led(consumers.get(name));
        if ('fault' in consumer) return consumer;
        clock.after(lostMs, () => move(consumer, (consumer.server + 1) % 3));
        return true;
      },
      async pull(_stream, name, waitMs) {
        const consumer = consumers.get(name);
        const end = clock.monotonic() + waitMs;
        for (;;) {
          const message = consumer && isLed(consumer) ? nextOf(consumer) : undefined;
          if (consumer && message) return handOut(consumer, message);
          if (clock.monotonic() >= end) return undefined;
          await clock.sleep(stepMs);
        }
      },
      async read(stream, which) {
        reads += 1;
        if (trouble.isLost('read')) return clock.sleep(lostMs).then(() => silence);
        await turn();
        if ('lastOf' in which) return records(which.lastOf).at(-1) ?? notFound;
        if ('firstOf' in which && stream.endsWith('-progress'))
          return records(which.firstOf).find(({ sequence }) => sequence >= which.from) ?? notFound;
        assertDeliveries(stream);
        const found =
          'sequence' in which
            ? visible()[which.sequence - 1]
            : visible().find((one) => one.sequence >= which.from && one.subject === which.firstOf);
        return found ?? notFound;
      },
      async publish(subject, payload, { expectedLast }) {
        if (trouble.isLost('publish')) return clock.sleep(lostMs).then(() => silence);
        await turn();
        const last = records(subject).at(-1)?.sequence ?? 0;
        if (expectedLast !== undefined && expectedLast !== last)
          return { fault: 'conflict', detail: 'wrong last sequence' };
        // Meanwhile another one is compared with the same.
        await turn();
        written += 1;
        const sequence = written;
        progress.push({ sequence, subject, time: clock.now(), id: undefined, payload });
        unknown.until = 0;
        if (trouble.isLost('answer')) return clock.sleep(lostMs).then(() => silence);
        return { sequence, isDuplicate: false };
      },
    },
  };
}

function assertDeliveries(stream: string): void {
  if (stream.includes('-')) throw new Error(`a number of ${stream} was read`);
}

const emptyStream: NatsStream = {
  name: '',
  subjects: [],
  replicas: 3,
  maxAgeMs: 0,
  duplicateWindowMs: 0,
  maxBytes: 0,
  discard: 'new',
  maxPerSubject: 0,
  storage: 'file',
  retention: 'limits',
  maxMessages: 0,
  firstSequence: 1,
  lastSequence: 0,
  messages: 0,
  bytes: 0,
  hasLeader: true,
  silent: [],
  behind: [],
};
