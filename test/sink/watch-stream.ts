// Sees each message of a stream as it is stored, so that a test can wait for one.

import type { TestContext } from 'node:test';
import { connectTo, onceLed } from './nats-client.ts';

export interface WatchedStream {
  readonly messages: readonly { readonly subject: string; readonly id: string }[];
  /** Resolves once there are so many. */
  until(count: number): Promise<void>;
}

export async function watchStream(
  t: Pick<TestContext, 'after'>,
  addresses: string,
  stream: string,
): Promise<WatchedStream> {
  const { streams } = await connectTo(t, addresses);
  const messages: { subject: string; id: string }[] = [];
  const waiting = new Set<() => void>();
  const consumer = await onceLed(() => streams.consumers.get(stream));
  const reading = await consumer.consume();
  const read = async () => {
    for await (const { subject, headers } of reading) {
      messages.push({ subject, id: headers?.get('Nats-Msg-Id') ?? '' });
      for (const check of waiting) check();
    }
  };
  void read();
  return {
    messages,
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (messages.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
