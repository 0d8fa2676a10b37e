// What a browser keeps of the page of a receiver or forwarder of a sink: the latest of each row, of the counters and of what is wrong.

import type { TestContext } from 'node:test';
import { rowsIn, type ShownRow, updatesIn } from '#test/receiver/page/page-html.ts';
import { ask, open, post } from '#test/receiver/page/page-request.ts';
import { createChanges, within } from './bounded.ts';
import type { RunningWm } from './running-wm.ts';

/** The address that it has printed. */
export async function pageUrl(running: RunningWm): Promise<string> {
  await running.says(/page: +(http:\S+)/);
  return /page: +(http:\S+)/.exec(`${running.output()}\n${running.errors()}`)?.[1] ?? '';
}

export async function openPageOf(t: Pick<TestContext, 'after'>, running: RunningWm) {
  const url = await pageUrl(running);
  const rows = new Map<number, ShownRow>();
  const { changed, until: when } = createChanges();
  let last: string | undefined;
  let isOpen = true;
  const until = (reached: () => boolean) =>
    within(
      `the page shows ${reached}`,
      when(reached),
      () => `${isOpen ? '' : 'Its stream has ended. '}At last ${last?.slice(0, 5_000)}\n${running.errors()}`,
    );
  const stream = await open(`${url}events`);
  t.after(() => stream.destroy());
  const follow = async () => {
    for await (const update of updatesIn(stream)) {
      if (update.includes('data-limit')) rows.clear();
      for (const row of rowsIn(update)) rows.set(row.sequence, row);
      last = update;
      changed();
    }
  };
  void follow()
    .catch(() => {})
    .finally(() => {
      isOpen = false;
    });
  const inOrder = () => [...rows.values()].toSorted((a, b) => a.sequence - b.sequence);
  const latest = () => {
    if (last === undefined) throw new Error('no update has come');
    return last;
  };
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
    details: async (sequence: number) => (await ask(`${url}deliveries/${sequence}`)).text,
    older: async (before: number) => (await ask(`${url}deliveries?before=${before}`)).text,
    /** What the button does. */
    replay: (sequence: number) => post(`${url}deliveries/${sequence}/replay`),
  };
}
