// Where deliveries go, from the flags: URLs, a command, standard output. Each event goes to its own route, or to --forward-to; the
// command and standard output get every delivery, or those that --print names.

import { usageError } from '../../../failure.ts';
import { createHttpTarget } from '../../../receiver/forwarding/http-target.ts';
import type { Target } from '../../../receiver/forwarding/target.ts';
import { targetName } from '../../../receiver/forwarding/target-url.ts';
import type { DeliveredEvent } from '../../../receiver/read-events.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';
import type { World } from '../../../world/world.ts';
import { trustCaFile } from '../../ca-file.ts';
import type { SelectedEvents } from '../../event-groups.ts';
import { readForwardHeaders } from './forward-headers.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import { printTargetName } from './listen-options.ts';

export interface Targets {
  /** All of them, in the order in which they are shown. */
  readonly names: readonly string[];
  /** There are others than standard output. */
  readonly forwards: boolean;
  /** Of one name, always the same target. */
  choose(events: readonly DeliveredEvent[]): readonly Target[];
}

/** Prints a delivery; false if nobody reads it. */
export type PrintDelivery = (delivery: StoredDelivery) => Promise<boolean>;

/** Only with a URL to forward to. */
const urlFlags = ['forwardHeader', 'forwardCa', 'forwardHost', 'forwardTimeout'] as const;

/** @throws {Failure} `usage` */
export async function createTargets(
  world: World,
  flags: ListenFlags,
  print: PrintDelivery,
): Promise<Targets> {
  const { forwardTo, route = [], print: printed } = flags;
  const urls = [
    ...new Set([...(forwardTo === undefined ? [] : [forwardTo]), ...route.map(({ url }) => url)]),
  ];
  const createUrlTarget = await prepareUrlTargets(world, flags, urls);
  const byUrl = new Map(urls.map((url) => [url, createUrlTarget(url)]));
  const byEvent = new Map(route.flatMap(({ events, url }) => events.map((event) => [event, url] as const)));
  const fallback = forwardTo === undefined ? undefined : byUrl.get(forwardTo);
  const printing = printed ?? (urls.length === 0 ? 'all' : undefined);
  const printTarget = printing === undefined ? undefined : createPrintTarget(world, print);
  return {
    names: [...[...byUrl.values()].map(({ name }) => name), ...(printTarget ? [printTargetName] : [])],
    forwards: urls.length > 0,
    choose(events) {
      const chosen = new Set<Target>();
      for (const { eventType } of events) {
        const url = byEvent.get(eventType);
        const target = url === undefined ? fallback : byUrl.get(url);
        if (target) chosen.add(target);
      }
      // A body that cannot be read still goes somewhere.
      if (events.length === 0 && fallback) chosen.add(fallback);
      if (printTarget && printing !== undefined && isPrinted(events, printing)) chosen.add(printTarget);
      return [...chosen];
    },
  };
}

async function prepareUrlTargets(
  world: World,
  flags: ListenFlags,
  urls: readonly string[],
): Promise<(url: string) => Target> {
  const { forwardHeader = [], forwardCa, forwardHost, forwardTimeout, concurrency } = flags;
  const needless = urlFlags.find((name) => urls.length === 0 && flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(
      `--forward-${needless.slice('forward'.length).toLowerCase()} needs --forward-to or --route`,
    );
  const twice = urls.find((url, at) =>
    urls.slice(0, at).some((other) => targetName(other) === targetName(url)),
  );
  if (twice !== undefined)
    throw usageError(
      `Two URLs to forward to differ only in their query: ${targetName(twice)}`,
      'Give them different paths: a target is known by its URL without the query.',
    );
  const trusting = forwardCa === undefined ? world : await trustCaFile(world, forwardCa, '--forward-ca');
  const headers = await readForwardHeaders(world, forwardHeader);
  return (url) =>
    createHttpTarget(trusting, {
      url,
      headers,
      host: forwardHost,
      timeoutMs: (forwardTimeout ?? listenDefaults.forwardTimeoutSeconds) * 1_000,
      connections: concurrency ?? listenDefaults.concurrency,
    });
}

function isPrinted(events: readonly DeliveredEvent[], selected: SelectedEvents): boolean {
  if (selected === 'all') return true;
  const names: readonly string[] = selected;
  return events.some(({ eventType }) => names.includes(eventType));
}

function createPrintTarget({ clock }: Pick<World, 'clock'>, print: PrintDelivery): Target {
  return {
    name: printTargetName,
    async send(delivery) {
      const started = clock.monotonic();
      const isPrinted = await print(delivery);
      return {
        verdict: isPrinted ? 'forwarded' : 'unavailable',
        outcome: isPrinted ? 'printed' : 'not printed',
        milliseconds: Math.round(clock.monotonic() - started),
      };
    },
  };
}
