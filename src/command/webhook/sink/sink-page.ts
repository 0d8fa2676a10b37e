// The page of a receiver or a forwarder of a sink. It shows what all of them do, as the streams have it.

import type { DeliveryStore } from '../../../receiver/delivery-journal.ts';
import { createSinkLook, type HeldUpTarget } from '../../../receiver/sink/sink-look.ts';
import type { SinkUrl } from '../../../receiver/sink/sink-url.ts';
import type { NatsConnection } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import type { KnownDelivery } from '../deliveries/known-delivery.ts';
import type { Titles } from '../listen/delivery-summary.ts';
import type { ListenFlags } from '../listen/listen-flags.ts';
import type { ReceiverPage } from '../listen/receiver-page.ts';
import type { PageSource, StuckLine } from '../page/page-source.ts';
import { namesTargets, servePage } from '../page/serve-page.ts';
import { chooseReplayTargets, type ReplayTargets } from '../replay/choose-targets.ts';
import { lastSinkTarget } from './last-sink-target.ts';
import { createSinkFeed } from './sink-feed.ts';
import { readSinkForwarders } from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';
import { createSinkRows, type SinkRows } from './sink-rows.ts';

export interface SinkPageParts {
  readonly nats: NatsConnection;
  readonly url: SinkUrl;
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  readonly titles: Titles;
  readonly by: 'listen' | 'forward';
}

/** @throws {Failure} `usage` if its port is not free. */
export async function openSinkPage(
  context: Context,
  { print: _, ...flags }: ListenFlags,
  parts: SinkPageParts,
): Promise<ReceiverPage> {
  const { nats, url, titles, by } = parts;
  return servePage(context, flags, {
    source: createSinkSource(context, parts),
    command: `wm webhook ${by}`,
    titles,
    replays: createSinkReplays(context.world, nats, url),
    targets: await findTargets(context, flags, parts),
  });
}

/** The targets of this process; if it has none, those of the sink's forwarders, as for `wm webhook replay`. */
async function findTargets(
  context: Context,
  flags: ListenFlags,
  { nats, url }: SinkPageParts,
): Promise<ReplayTargets | undefined> {
  const read = () => readSinkForwarders(nats, url.stream, context.world.clock.now()).catch(() => []);
  const last = namesTargets(flags) ? {} : lastSinkTarget(await read(), context.world.process.host);
  return 'problem' in last ? undefined : chooseReplayTargets(context, async () => last, flags);
}

/** How many parts are read to find enough deliveries: not every number has one. */
const mostParts = 20;

function createSinkSource({ world }: Context, { nats, url, journal, titles, by }: SinkPageParts): PageSource {
  const { clock } = world;
  const { stream } = url;
  const look = createSinkLook(nats, clock, stream);
  const history = createSinkRows({ nats, clock, stream, look, titles });
  const feed = createSinkFeed({ nats, clock, stream, look, history, titles });
  const failures = createFailureSearch(history);
  /** A target that nothing has reached has no notes, but its forwarders name it. */
  const learnTargets = async () => {
    for (const { routes, rest, every } of await readSinkForwarders(nats, stream, clock.now()).catch(() => []))
      for (const name of [...routes.map(({ target }) => target), ...rest, ...every]) history.learn(name);
  };
  const nameOf = ({ target }: HeldUpTarget) =>
    target === undefined
      ? 'No target yet'
      : (history.nameOf(target) ?? `A target of other forwarders (${target})`);
  return {
    scope: `Deliveries of all receivers of ${url.text}, and what all of its forwarders do with them.`,
    // `follow` reads them, so that the page opens without waiting.
    first: async () => [],
    async older(before, limit) {
      const found: KnownDelivery[] = [];
      let to = before - 1;
      const first = look.first();
      for (let left = mostParts; left > 0 && to >= first && found.length < limit; left -= 1) {
        const from = Math.max(first, to - limit + 1);
        const part = await history.read({ from, to });
        found.unshift(...part.map(({ known }) => known));
        to = from - 1;
      }
      return found.slice(-limit);
    },
    read: (sequence) => journal.read(sequence),
    follow: (host, signal) => feed.follow(host, signal),
    onActivity: (activity) => feed.onActivity(activity),
    onReady(forwarder) {
      for (const { target } of forwarder.state().targets) history.learn(target);
    },
    onOpened() {
      feed.wake();
      void learnTargets();
    },
    state: () => ({
      unfinished: look.unfinished(),
      // A forwarder stores nothing.
      fault: by === 'listen' ? journal.state().fault : undefined,
      stale: feed.stale(),
      stuck: look.heldUp().map((one): StuckLine => {
        const { waiting, retrying, oldest } = one;
        const failure = retrying === 0 ? undefined : failures.of(one);
        return { target: nameOf(one), waiting, retrying, isBehind: false, oldest, failure };
      }),
    }),
  };
}

/** The outcome of the last attempt at a delivery that failed before the page was opened: read once for each delivery. */
function createFailureSearch(history: Pick<SinkRows, 'read' | 'nameOf'>) {
  const found = new Map<string, { head: number; text: string }>();
  return {
    of({ target = '', head }: HeldUpTarget): string | undefined {
      const last = found.get(target);
      if (last?.head === head) return last.text;
      const one = { head, text: last?.text ?? '' };
      found.set(target, one);
      history.read({ from: head, to: head }).then(
        ([row]) => {
          const name = history.nameOf(target);
          one.text = row?.known.attempts.findLast((made) => made.target === name)?.outcome ?? '';
        },
        () => {
          // The page then shows no outcome for this delivery.
        },
      );
      return one.text;
    },
  };
}
