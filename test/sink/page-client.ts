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
import { createChanges, within } from './bounded.ts';
import type { RunningWm } from './running-wm.ts';

/** The address that it has printed. */
export async function pageUrl(running: RunningWm): Promise<string> {
  await running.says(/page: +(http:\S+)/);
  return /page: +(http:\S+)/.exec(`${running.output()}\n${running.errors()}`)?.[1] ?? '';
}

export async function openPageOf(t: Pick<TestContext, 'after'>, running: RunningWm) {
  const url = await pageUrl(running);
  const rows = new Map<number, DeliveryRow>();
  const { changed, until: when } = createChanges();
  let last: PageUpdate | undefined;
  let isOpen = true;
  const until = (reached: () => boolean) =>
    within(
      `the page shows ${reached}`,
      when(reached),
      () => `${isOpen ? '' : 'Its stream has ended. '}At last ${JSON.stringify(last)}\n${running.errors()}`,
    );
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
    changed();
  });
  stream
    .on('error', () => {})
    .on('close', () => {
      isOpen = false;
    });
  const inOrder = () => [...rows.values()].toSorted((a, b) => a.sequence - b.sequence);
  const latest = () => {
    if (last === undefined) throw new Error('no update has come');
    return last;
  };
  const read = async (path: string) => JSON.parse((await ask(`${url}deliveries${path}`)).text);
  await until(() => last !== undefined);
  return {
    url,
    rows: inOrder,
    /** `1 waiting`, the oldest first. */
    states: () => inOrder().map(({ sequence, state }) => `${sequence} ${state}`),
    last: latest,
    /** The next update. */
    async next() {
      const before = last;
      await until(() => last !== before);
      return latest();
    },
    /** Resolves once an update makes it true, in time. */
    until,
    details: (sequence: number): Promise<DeliveryDetails> => read(`/${sequence}`),
    older: (before: number): Promise<DeliveryList> => read(`?before=${before}`),
    /** What the button does: the status and the JSON of the response. */
    replay: (sequence: number) =>
      ask(`${url}deliveries/${sequence}/replay`, {
        method: 'POST',
        headers: { Origin: new URL(url).origin },
      }),
  };
}
