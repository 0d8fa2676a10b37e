// What a browser keeps of the page of a receiver or forwarder of a sink: the latest of each row, of the counters and of what is wrong.

import type { IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import type {
  DeliveryDetails,
  DeliveryList,
  DeliveryRow,
  PageUpdate,
} from '#receiver/commands/page/page-messages.ts';
import { ask, open } from '../receiver/commands/page/page-request.ts';
import type { RunningWm } from './running-wm.ts';

export interface PageClient {
  readonly url: string;
  /** `1 waiting`, the oldest first. */
  states(): readonly string[];
  rows(): readonly DeliveryRow[];
  last(): PageUpdate;
  /** The next update. */
  next(): Promise<PageUpdate>;
  /** Resolves once an update makes it true. */
  until(reached: () => boolean): Promise<void>;
  details(sequence: number): Promise<DeliveryDetails>;
  older(before: number): Promise<DeliveryList>;
  /** What the button does: the status and the JSON of the response. */
  replay(sequence: number): Promise<{ readonly status: number; readonly text: string }>;
}

/** The address that it has printed. */
export async function pageUrl(running: RunningWm): Promise<string> {
  await running.says(/page: +(http:\S+)/);
  return /page: +(http:\S+)/.exec(`${running.output()}\n${running.errors()}`)?.[1] ?? '';
}

export async function openPageOf(t: Pick<TestContext, 'after'>, running: RunningWm): Promise<PageClient> {
  const url = await pageUrl(running);
  const rows = new Map<number, DeliveryRow>();
  const waiting = new Set<() => void>();
  let last: PageUpdate | undefined;
  const stream: IncomingMessage = await open(`${url}events`);
  t.after(() => stream.destroy());
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    const pieces = (text + piece).split('\n\n');
    text = pieces.pop() ?? '';
    for (const message of pieces.filter((part) => part.startsWith('data: '))) {
      const update: PageUpdate = JSON.parse(message.slice('data: '.length));
      if (update.isWhole) rows.clear();
      for (const row of update.rows) rows.set(row.sequence, row);
      last = update;
    }
    for (const check of waiting) check();
  });
  stream.on('error', () => {});
  const inOrder = () => [...rows.values()].toSorted((a, b) => a.sequence - b.sequence);
  const until = (reached: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!reached()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const client: PageClient = {
    url,
    rows: inOrder,
    states: () => inOrder().map(({ sequence, state }) => `${sequence} ${state}`),
    last() {
      if (last === undefined) throw new Error('no update has come');
      return last;
    },
    async next() {
      const before = last;
      await until(() => last !== before);
      return client.last();
    },
    until,
    details: async (sequence) => JSON.parse((await ask(`${url}deliveries/${sequence}`)).text),
    older: async (before) => JSON.parse((await ask(`${url}deliveries?before=${before}`)).text),
    replay: (sequence) =>
      ask(`${url}deliveries/${sequence}/replay`, {
        method: 'POST',
        headers: { Origin: new URL(url).origin },
      }),
  };
  await until(() => last !== undefined);
  return client;
}
