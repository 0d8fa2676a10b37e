// Prints `webhook log --stuck`: the deliveries that have not reached their targets, and what to do about them.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { execTargetName } from '#receiver/core/forwarding/exec-target.ts';
import { createTargetChoice, type RoutedEvents } from '#receiver/core/forwarding/target.ts';
import type { Attempt } from '#receiver/core/intake/delivery-journal.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import { queryDeliveries } from '../deliveries/collect-deliveries.ts';
import type { DeliveryArchive } from '../deliveries/delivery-archive.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { toFilter } from '../deliveries/delivery-filter.ts';
import type { Forwarding } from '../deliveries/forwarding-file.ts';
import {
  deadTargets,
  describeFailure,
  isUnfinished,
  type LoggedDelivery,
  routedEventsOf,
} from '../deliveries/logged-delivery.ts';
import type { Selection } from '../deliveries/select-deliveries.ts';
import { unknownTargetFlags } from '../replaying/target-flags.ts';

const pipeColumns: readonly Column<StuckTarget>[] = [
  { title: 'target', cell: ({ target }) => target },
  { title: 'waiting', cell: ({ waiting }) => String(waiting) },
  { title: 'retrying', cell: ({ retrying }) => String(retrying) },
  { title: 'dead', cell: ({ dead }) => String(dead) },
  { title: 'oldest', cell: ({ oldest }) => String(oldest.sequence) },
  { title: 'since', cell: ({ oldest }) => isoTime(oldest.receivedAt) },
  { title: 'outcome', cell: ({ lastFailure }) => lastFailure?.outcome ?? '' },
  { title: 'failed', cell: ({ lastFailure }) => (lastFailure ? isoTime(lastFailure.time) : '') },
  { title: 'unreachable', cell: ({ outage }) => (outage ? isoTime(outage.since) : '') },
  { title: 'fault', cell: ({ outage }) => outage?.fault ?? '' },
  { title: 'detail', cell: ({ lastFailure }) => lastFailure?.detail ?? '' },
  { title: 'next', cell: ({ nextAt }) => (nextAt === undefined ? '' : isoTime(nextAt)) },
];

/** A block for each target, for terminals of any width. */
const columns: readonly Column<StuckTarget>[] = [
  { title: 'target', cell: ({ target }) => (target === '' ? 'not known yet' : target), unbroken: 'words' },
  { title: 'waiting', cell: ({ waiting }) => countOrNone(waiting) },
  { title: 'retrying', cell: ({ retrying }) => countOrNone(retrying) },
  { title: 'dead letters', cell: ({ dead }) => countOrNone(dead), format: (_, style) => style.bad },
  {
    title: 'oldest',
    cell: ({ oldest: { sequence, receivedAt } }) => `#${sequence}, of ${formatLocalTime(receivedAt)}`,
  },
  {
    title: 'last failure',
    cell: ({ lastFailure: last }) =>
      last ? `${sanitizeLine(describeFailure(last))}, at ${formatLocalTime(last.time)}` : '',
  },
  {
    title: 'next attempt',
    cell: ({ nextAt, outage }) => (nextAt === undefined || outage ? '' : formatLocalTime(nextAt)),
  },
  {
    title: 'cannot be reached',
    cell: ({ outage }) =>
      outage ? `since ${formatLocalTime(outage.since)}: ${sanitizeLine(outage.fault)}` : '',
    format: (_, style) => style.bad,
  },
];

const countOrNone = (count: number) => (count === 0 ? '' : String(count));

export async function printStuck(
  context: Context,
  archive: DeliveryArchive,
  storageFlags: readonly string[],
): Promise<void> {
  const { report, world } = context;
  const stuck = await findStuck(archive);
  const raw = stuck.map(toJson);
  if (world.streams.output.isTerminal && !report.wantsJson)
    await report.each({ columns, records: stuck, raw });
  else await report.list({ columns: pipeColumns, records: stuck, raw });
  const abandoned = await archive.describeAbandoned();
  for (const sentence of abandoned) await report.info(sentence);
  if (stuck.length === 0 && abandoned.length > 0) return;
  if (stuck.length === 0)
    return report.info('Nothing is stuck: no delivery waits, and there are no dead letters.');
  const command = (words: string, ...flags: readonly string[]) =>
    formatCommandWith(context, words, [], ...flags, ...storageFlags);
  if (stuck.some(({ waiting, retrying }) => waiting + retrying > 0)) {
    await report.info(await archive.describeForwarders());
    await report.info(
      `To list the waiting deliveries: ${command('webhook log', '--state', 'waiting,retrying')}`,
    );
  }
  const names = stuck.flatMap(({ target, dead }) => (dead === 0 ? [] : [target]));
  if (names.length === 0) return;
  const isKnown = !names.includes(execTargetName) && !('problem' in (await archive.lastTarget()));
  const targetFlags = isKnown ? [] : unknownTargetFlags(names);
  await report.info(
    `To list the dead letters: ${command('webhook log', '--dead-letters')}\nOnce their cause is removed, to send them again: ${command('webhook replay', '--dead-letters', ...targetFlags)}`,
  );
}

function toJson(stuck: StuckTarget): object {
  const { target, waiting, retrying, dead, oldest, lastFailure: last, nextAt, outage } = stuck;
  return {
    target,
    waiting,
    retrying,
    dead,
    oldest: { sequence: oldest.sequence, time: isoTime(oldest.receivedAt) },
    lastFailure: last && { time: isoTime(last.time), outcome: last.outcome, detail: last.detail },
    next: nextAt === undefined ? undefined : isoTime(nextAt),
    unreachable: outage && { since: isoTime(outage.since), fault: outage.fault },
  };
}

interface StuckTarget {
  /** Empty for deliveries without an attempt or a recorded target. */
  readonly target: string;
  /** Deliveries without an attempt. */
  waiting: number;
  /** Deliveries whose last attempt failed, with another to follow. */
  retrying: number;
  /** Dead letters that were not replayed. */
  dead: number;
  /** The oldest delivery that waits or is retried, or else the oldest dead letter. */
  oldest: LoggedDelivery;
  lastFailure: Attempt | undefined;
  /** When the first of the next attempts comes, unless a receiver starts or a user asks for it. */
  nextAt: number | undefined;
  /** Why the target cannot be reached, and since when; `undefined` if it can, or no receiver has tried. */
  readonly outage: Forwarding['outages'][number] | undefined;
}

/** Shared: most of a long backlog has none. */
const noAttempts: ReadonlyMap<string, Attempt> = new Map();

async function findStuck(archive: DeliveryArchive): Promise<readonly StuckTarget[]> {
  const forwarding = await archive.forwarding();
  const choose = forwarding && createTargetChoice(forwarding);
  const targets = new Map<string, StuckTarget>();
  const stuckAt = (target: string, delivery: LoggedDelivery, attempt: Attempt | undefined) => {
    const outage = forwarding?.outages.find((outage) => outage.target === target);
    const counts = { waiting: 0, retrying: 0, dead: 0, lastFailure: undefined, nextAt: undefined };
    const stuck = targets.get(target) ?? { target, ...counts, oldest: delivery, outage };
    targets.set(target, stuck);
    if (attempt && attempt.time >= (stuck.lastFailure?.time ?? attempt.time)) stuck.lastFailure = attempt;
    return stuck;
  };
  const add = (delivery: LoggedDelivery) => {
    const last =
      delivery.attempts.length === 0
        ? noAttempts
        : new Map(delivery.attempts.map((attempt) => [attempt.target, attempt]));
    for (const target of isUnfinished(delivery) ? openTargets(delivery, last, choose) : []) {
      const attempt = last.get(target);
      const stuck = stuckAt(target, delivery, attempt);
      if (stuck.waiting + stuck.retrying === 0) stuck.oldest = delivery;
      stuck[attempt ? 'retrying' : 'waiting'] += 1;
      if (attempt?.delay !== undefined)
        stuck.nextAt = Math.min(attempt.time + attempt.delay, stuck.nextAt ?? Number.POSITIVE_INFINITY);
    }
    for (const target of deadTargets(delivery)) stuckAt(target, delivery, last.get(target)).dead += 1;
  };
  // Only a choice by events needs the content.
  const needsEvents = (forwarding?.routes.length ?? 0) > 0;
  const selection: Selection = {
    filter: toFilter({}, [], 0),
    states: ['waiting', 'retrying', 'dead'],
    last: Number.POSITIVE_INFINITY,
    ...(needsEvents ? {} : { onOutline: add }),
  };
  const titles = { remember: () => {} };
  const { parts } = await queryDeliveries(archive.source, await archive.replays.read(), selection, titles);
  for await (const part of parts) for (const delivery of part) add(delivery);
  return [...targets.values()];
}

/** The targets that still need the delivery, from the receiver's routes or else from the attempts. */
function openTargets(
  delivery: LoggedDelivery,
  last: ReadonlyMap<string, Attempt>,
  choose: ((events: RoutedEvents) => readonly string[]) | undefined,
): readonly string[] {
  const chosen = choose?.(routedEventsOf(delivery));
  const failing = [...last].flatMap(([target, { verdict }]) => (verdict === 'retry' ? [target] : []));
  const open = chosen?.filter((target) => (last.get(target)?.verdict ?? 'retry') === 'retry') ?? failing;
  return open.length === 0 && last.size === 0 ? [''] : open;
}
