// Opens the page of `wm webhook listen --ui`, and connects it with what `wm webhook log` reads and what `wm webhook replay` sends.

import { errorMessage, usageError } from '../../../failure.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';
import type { Context } from '../../context.ts';
import { collectDeliveries } from '../deliveries/collect-deliveries.ts';
import { createEntrySource, type EntrySource } from '../deliveries/entry-source.ts';
import { followReplays } from '../deliveries/follow-replays.ts';
import type { KnownDelivery } from '../deliveries/known-delivery.ts';
import { openReplays, readReplays } from '../deliveries/replays-file.ts';
import { readLastTarget } from '../listen/journal-folder.ts';
import type { ListenFlags } from '../listen/listen-flags.ts';
import type { OpenReceiverPage } from '../listen/receiver-page.ts';
import { chooseReplayTargets, type ReplayTargets } from '../replay/choose-targets.ts';
import { replayDeliveries } from '../replay/replay-deliveries.ts';
import type { PageReplay, ReplayResult } from './start-page.ts';

export const openPage: OpenReceiverPage = async (context, flags, { folder, journal, titles }) => {
  const { world } = context;
  const source = createEntrySource(world, folder);
  const { startPage } = await import('./start-page.ts');
  const port = flags.uiPort ?? 0;
  const targets = await findTargets(context, folder, flags);
  /** Replays run one at a time, because each needs the lock. */
  let last: Promise<unknown> = Promise.resolve();
  const page = await startPage({
    world,
    port,
    journal,
    titleOf: (id) => titles.find(id),
    followReplays: (onReplay, signal) => followReplays(world, folder, onReplay, signal),
    async older(before, limit) {
      const numbers = before === Number.POSITIVE_INFINITY ? [] : [{ from: 1, to: before - 1 }];
      const { deliveries } = await collectDeliveries(
        source,
        await readReplays(world, folder),
        { filter: { ...everything, numbers }, states: [], last: limit },
        titles,
      );
      return deliveries;
    },
    replay:
      targets &&
      ((delivery, known, signal) => {
        const result = last.then(() => replay(context, { folder, targets, delivery, known, signal }));
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
};

const everything = {
  numbers: [],
  from: Number.NEGATIVE_INFINITY,
  before: Number.POSITIVE_INFINITY,
  events: undefined,
  subjectId: undefined,
};

/**
 * Where this receiver forwards; if nowhere, where an earlier one forwarded from this journal, as for `wm webhook replay`. `undefined`
 * if there is neither.
 */
async function findTargets(
  context: Context,
  folder: string,
  { print: _, ...flags }: ListenFlags,
): Promise<ReplayTargets | undefined> {
  const isGiven = [flags.forwardTo, flags.route, flags.exec].some((flag) => flag !== undefined);
  if (!isGiven && !(await hasLastTarget(context, folder))) return undefined;
  return chooseReplayTargets(context, folder, flags);
}

/** One that cannot be read is none: the receiver does not need it. */
async function hasLastTarget({ world }: Context, folder: string): Promise<boolean> {
  const { forwardTo, routes = [] } = (await readLastTarget(world, folder).catch(() => undefined)) ?? {};
  return forwardTo !== undefined || routes.length > 0;
}

interface ReplayOf {
  readonly folder: string;
  readonly targets: ReplayTargets;
  readonly delivery: StoredDelivery;
  readonly known: KnownDelivery;
  readonly signal: AbortSignal;
}

/** As `wm webhook replay` does, under the same lock. */
async function replay(
  { world }: Context,
  { folder, targets, delivery, known, signal }: ReplayOf,
): Promise<ReplayResult> {
  const replays: PageReplay[] = [];
  try {
    const recorder = await openReplays(world, folder);
    if (recorder === undefined)
      return { replays, problem: 'wm webhook replay is sending deliveries of this journal' };
    try {
      const { withoutTarget, unavailable } = await replayDeliveries({
        source: only(delivery),
        deliveries: [known],
        chooseTargets: targets.choose,
        recorder,
        clock: world.clock,
        concurrency: 1,
        signal,
        async onReplayed({ replay: one, detail }) {
          replays.push(detail === undefined ? one : { ...one, detail });
        },
      });
      if (withoutTarget.length > 0) return { replays, problem: 'no target is for its events' };
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

/** A journal with one delivery. */
function only(delivery: StoredDelivery): EntrySource {
  const { sequence } = delivery;
  return {
    bounds: async () => ({
      first: sequence,
      last: sequence,
      firstSince: () => sequence,
      isUnfinished: () => false,
      unfinished: 0,
      oldestUnfinished: undefined,
    }),
    async *read() {
      yield { kind: 'delivery', delivery };
    },
  };
}
