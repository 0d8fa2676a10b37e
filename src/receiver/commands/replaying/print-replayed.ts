// Prints the results of `webhook replay`: a line for each delivery and target, or with --dry-run, what it would send.

import type { Context } from '#cli/context.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import {
  deliveryColumns,
  deliveryPipeColumns,
  isoTime,
  toDeliveryJson,
} from '../deliveries/delivery-columns.ts';
import type { LoggedDelivery } from '../deliveries/logged-delivery.ts';
import { listSome } from '../listening/delivery-line.ts';
import type { Titles } from '../listening/delivery-summary.ts';
import type { Replayed } from './replay-deliveries.ts';

export const replayColumns: readonly Column<Replayed>[] = [
  { title: 'sequence', cell: ({ delivery }) => String(delivery.sequence) },
  { title: 'events', cell: ({ delivery }) => delivery.events.join(',') },
  { title: 'ids', cell: ({ delivery }) => delivery.ids.join(',') },
  { title: 'target', cell: ({ replay }) => replay.target },
  { title: 'outcome', cell: ({ replay }) => replay.outcome },
  { title: 'milliseconds', cell: ({ replay }) => String(replay.milliseconds) },
  { title: 'verdict', cell: ({ replay }) => replay.verdict },
];

export async function printReplayed({ report, world }: Context, replayed: Replayed): Promise<void> {
  if (world.streams.output.isTerminal && !report.wantsJson)
    await report.line(sanitizeLine(describeReplayed(replayed)));
  else
    await report
      .asMessages()
      .each({ columns: replayColumns, records: [replayed], raw: [toReplayedJson(replayed)] });
}

/** `#1042 TaskStatusChanged  http://127.0.0.1:3000/hook  500 in 12 ms: no such table` */
function describeReplayed({ delivery, replay, detail }: Replayed): string {
  const { target, outcome, milliseconds, verdict } = replay;
  const name = `#${delivery.sequence} ${listSome(delivery.events)}`.trimEnd();
  const line = `${name}  ${target}  ${outcome} in ${milliseconds} ms`;
  return verdict === 'forwarded' || detail === undefined ? line : `${line}: ${detail}`;
}

function toReplayedJson({ delivery: { events, ids }, replay, detail }: Replayed): object {
  const { sequence, time, ...rest } = replay;
  return { sequence, time: isoTime(time), events, ids, ...rest, detail };
}

export async function printPlanned(
  { report, world }: Pick<Context, 'report' | 'world'>,
  deliveries: readonly LoggedDelivery[],
  titles: Pick<Titles, 'find'>,
): Promise<void> {
  const columns = world.streams.output.isTerminal ? deliveryColumns(titles) : deliveryPipeColumns(titles);
  const raw = deliveries.map((delivery) => toDeliveryJson(delivery, titles));
  await report.each({ columns, records: deliveries, raw });
}
