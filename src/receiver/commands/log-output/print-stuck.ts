// Prints `webhook log --stuck`: the deliveries that have not reached their targets, and what to do about them.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { toFailure } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import type { DeliveryArchive } from '../deliveries/delivery-archive.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { unknownTargetFlags } from '../deliveries/target-flags.ts';
import type { StuckTarget } from './stuck-targets.ts';

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
];

/** A block for each target, for terminals of any width. */
const columns: readonly Column<StuckTarget>[] = [
  { title: 'target', cell: ({ target }) => (target === '' ? 'not known yet' : target), unbroken: 'words' },
  { title: 'waiting', cell: ({ waiting }) => countOrNone(waiting) },
  { title: 'retrying', cell: ({ retrying }) => countOrNone(retrying) },
  {
    title: 'dead letters',
    cell: ({ dead }) => countOrNone(dead),
    format: (_, style) => style.bad,
  },
  {
    title: 'oldest',
    cell: ({ oldest: { sequence, receivedAt } }) => `#${sequence}, of ${isoTime(receivedAt)}`,
  },
  {
    title: 'last failure',
    cell: ({ lastFailure }) =>
      lastFailure ? `${sanitizeLine(lastFailure.outcome)}, at ${isoTime(lastFailure.time)}` : '',
  },
  {
    title: 'cannot be reached',
    cell: ({ outage }) => (outage ? `since ${isoTime(outage.since)}: ${sanitizeLine(outage.fault)}` : ''),
    format: (_, style) => style.bad,
  },
];

const countOrNone = (count: number) => (count === 0 ? '' : String(count));

export async function printStuck(
  context: Pick<Context, 'report' | 'world' | 'account' | 'common'>,
  stuck: readonly StuckTarget[],
  archive: Pick<DeliveryArchive, 'describeForwarders' | 'describeAbandoned' | 'lastTarget'>,
  storageFlags: readonly string[],
): Promise<void> {
  const { report, world } = context;
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
  if (stuck.some(({ dead }) => dead > 0))
    await report.info(
      `To list the dead letters: ${command('webhook log', '--dead-letters')}\nOnce their cause is removed, to send them again: ${command('webhook replay', '--dead-letters', ...(await targetFlags(archive)))}`,
    );
}

/** Leaves out flags if the target is recorded. */
async function targetFlags({ lastTarget }: Pick<DeliveryArchive, 'lastTarget'>): Promise<readonly string[]> {
  try {
    await lastTarget();
    return [];
  } catch (error) {
    if (toFailure(error).code !== 'usage') throw error;
    return unknownTargetFlags;
  }
}

function toJson({ target, waiting, retrying, dead, oldest, lastFailure, outage }: StuckTarget): object {
  return {
    target,
    waiting,
    retrying,
    dead,
    oldest: { sequence: oldest.sequence, time: isoTime(oldest.receivedAt) },
    ...(lastFailure
      ? { lastFailure: { time: isoTime(lastFailure.time), outcome: lastFailure.outcome } }
      : {}),
    ...(outage ? { unreachable: { since: isoTime(outage.since), fault: outage.fault } } : {}),
  };
}
