// Serves a page. Its button replays a delivery as `wm webhook replay` does, and under the same lock.

import type { Context } from '#cli/context.ts';
import { errorMessage, toFailure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import type { ReplayStore } from '../deliveries/delivery-archive.ts';
import type { Titles } from '../listening/delivery-summary.ts';
import type { ListenFlags } from '../listening/listen-flags.ts';
import type { ReceiverPage } from '../listening/receiver-storage.ts';
import type { ReplayTargets } from '../replaying/choose-targets.ts';
import { replayDeliveries } from '../replaying/replay-deliveries.ts';
import type { PageReplay, ReplayResult, SendAgain } from './page-deliveries.ts';
import type { PageSource } from './page-source.ts';

export interface ServedPage {
  readonly source: PageSource;
  readonly command: string;
  readonly titles: Titles;
  readonly replays: Pick<ReplayStore, 'open'>;
  readonly targets: ReplayTargets | undefined;
}

export async function servePage(
  { world }: Context,
  { uiPort }: Pick<ListenFlags, 'uiPort'>,
  { source, command, titles, replays, targets }: ServedPage,
): Promise<ReceiverPage> {
  const { startPage } = await import('./start-page.ts');
  const port = uiPort ?? 0;
  /** Replays run one at a time, because each takes the lock. */
  let last: Promise<unknown> = Promise.resolve();
  const page = await startPage({
    world,
    port,
    source,
    command,
    titleOf: (id) => titles.find(id),
    replay:
      targets &&
      ((...parameters) => {
        const result = last.then(() => replay(world, { replays, targets }, parameters));
        last = result;
        return result;
      }),
  });
  if (!('fault' in page)) return page;
  throw usageError(
    `wm cannot listen on 127.0.0.1 port ${port} for the page`,
    'Choose another port with --ui-port, or leave it out: then wm takes a free one.',
    page.fault === 'in-use' ? 'another program listens there' : page.detail,
  );
}

async function replay(
  { clock }: Pick<World, 'clock'>,
  { replays: store, targets }: Pick<ServedPage, 'replays'> & { readonly targets: ReplayTargets },
  [stored, delivery, signal]: Parameters<SendAgain>,
): Promise<ReplayResult> {
  const replays: PageReplay[] = [];
  try {
    const recorder = await store.open();
    try {
      const { withoutTarget, unavailable, unrecorded, recordFault } = await replayDeliveries({
        source: { read: () => only({ kind: 'delivery', delivery: stored }) },
        deliveries: [delivery],
        chooseTargets: targets.choose,
        recorder,
        clock,
        concurrency: 1,
        signal,
        async onReplayed({ replay: made, detail }) {
          replays.push({ ...made, ...omitUndefined({ detail }) });
        },
      });
      if (unrecorded.length > 0)
        return {
          replays,
          problem: `it was sent, but could not be recorded: ${toFailure(recordFault).sentence}`,
        };
      if (withoutTarget.length > 0) return { replays, problem: 'none of the targets takes its events' };
      if (unavailable === undefined) return { replays };
      const { target, outcome, detail } = unavailable;
      return { replays, problem: `${target} cannot be reached: ${detail ?? outcome}` };
    } finally {
      await recorder.close();
    }
  } catch (error) {
    return { replays, problem: errorMessage(error) };
  }
}

async function* only<T>(entry: T): AsyncGenerator<T> {
  yield entry;
}
