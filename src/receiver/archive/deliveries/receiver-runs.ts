// Records each start and stop of a receiver beside its journal, to find gaps in which deliveries may have been missed. A killed receiver
// records no stop; it ran at least until its last delivery.

import { join } from 'node:path';
import { choice, number, object, optional, type TypeOf } from '#contract/schema.ts';
import { readRecords } from '#local-records/json-records.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';

const line = object('line', {
  kind: choice('kind', ['start', 'stop']),
  /** Milliseconds since 1970. */
  time: number('milliseconds'),
  /** For a start: when the last delivery before it was received. */
  lastReceived: optional(number('milliseconds')),
});
type Line = TypeOf<typeof line>;

/** A time without a receiver, in milliseconds since 1970. The clock may have been set meanwhile. */
export interface ReceiverGap {
  readonly from: number;
  /** Absent if no receiver has started since. */
  readonly to?: number;
  /** `ended`: the receiver was killed, or the machine stopped, at an unknown time after `from`. */
  readonly began: 'stopped' | 'ended';
}

const fileName = 'receivers.ndjson';

/** Rejects with the system's own error. */
export async function recordRun(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  folder: string,
  kind: Line['kind'],
  lastReceived?: number,
): Promise<void> {
  const entry: Line = { kind, time: clock.now(), ...omitUndefined({ lastReceived }) };
  await files.appendLine(folder, fileName, JSON.stringify(entry));
}

/** Never rejects: a run that ends cannot act on the error. */
export const recordStop = (world: Pick<World, 'files' | 'clock'>, folder: string): Promise<void> =>
  recordRun(world, folder, 'stop').catch(() => {});

/**
 * Lists the gaps, oldest first. The last one is open if the last receiver stopped; a killed receiver looks like a running one. Skips
 * damaged lines.
 */
export async function readGaps({ files }: Pick<World, 'files'>, folder: string) {
  const gaps: ReceiverGap[] = [];
  let before: Line | undefined;
  for await (const entry of readRecords(files, join(folder, fileName), line)) {
    if (entry === undefined) continue;
    if (entry.kind === 'start' && before !== undefined) gaps.push(gapBetween(before, entry));
    before = entry;
  }
  if (before?.kind === 'stop') gaps.push({ from: before.time, began: 'stopped' });
  return gaps;
}

function gapBetween(before: Line, start: Line): ReceiverGap {
  if (before.kind === 'stop') return { from: before.time, to: start.time, began: 'stopped' };
  const lastActivity = Math.max(before.time, start.lastReceived ?? before.time);
  return { from: lastActivity, to: start.time, began: 'ended' };
}
