// The tests' own connection to the servers, as the tools of an administrator have one. A busy machine may take long to answer.

import type { TestContext } from 'node:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createChanges, untilFound } from './bounded.ts';

const timeout = 60_000;

/** The name of the server that leads the stream of deliveries. */
export async function leaderOf(t: Pick<TestContext, 'after'>, addresses: string): Promise<string> {
  const { manager } = await connectTo(t, addresses);
  return onceLed(async () => {
    const { cluster } = await manager.streams.info('TRIAL');
    if (!cluster?.leader) throw new Error('The stream has no leader');
    return cluster.leader;
  });
}

/** Asks until there is an answer: the servers may be choosing a leader, and say that JetStream is unavailable meanwhile. */
export async function onceLed<T>(ask: () => Promise<T>): Promise<T> {
  let last: unknown;
  const look = () =>
    ask().then(
      (value) => ({ value }),
      (error: unknown) => {
        last = error;
        return undefined;
      },
    );
  return (await untilFound('the servers answer', look, () => String(last))).value;
}

/** `addresses`: of some of the servers, with commas. Until the test ends. */
export async function connectTo(t: Pick<TestContext, 'after'>, addresses: string) {
  const connection = await connect({ servers: addresses.split(','), timeout, maxReconnectAttempts: -1 });
  t.after(() => connection.close());
  // It asks the servers at once, and they may be choosing a leader.
  const manager = await jetstreamManager(connection, { timeout, checkAPI: false });
  return { connection, streams: jetstream(connection, { timeout }), manager };
}

/** Sees each message of a stream as it is stored, so that a test can wait for one. */
export async function watchStream(t: Pick<TestContext, 'after'>, addresses: string, stream: string) {
  const { streams } = await connectTo(t, addresses);
  const messages: { subject: string; id: string }[] = [];
  const { changed, until } = createChanges();
  const consumer = await onceLed(() => streams.consumers.get(stream));
  const reading = await consumer.consume();
  const read = async () => {
    for await (const { subject, headers } of reading) {
      messages.push({ subject, id: headers?.get('Nats-Msg-Id') ?? '' });
      changed();
    }
  };
  void read();
  return {
    messages,
    /** Resolves once there are so many. */
    until: (count: number) => until(() => messages.length >= count),
  };
}
