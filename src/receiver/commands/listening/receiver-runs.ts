// When a receiver ran with a journal: a file in the journal's folder, a line for each start and each stop. Between a stop and
// the next start, deliveries may have been missed. A receiver that was killed leaves no stop: then all that is known is that it ran
// until its last delivery.

import { join } from 'node:path';
import { decodeLinesLeniently } from '#bulk/decode-lines.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import {
  choice,
  number,
  object,
  optional,
  readLeniently,
  type TypeOf,
  unlessInvalid,
} from '#contract/schema.ts';
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

/** A time in which no receiver ran. Milliseconds since 1970, by a clock that may have been set meanwhile. */
export interface ReceiverGap {
  readonly from: number;
  /** Absent while none has started since. */
  readonly to?: number;
  /** `ended`: the receiver was killed, or the machine stopped, some time after `from`. */
  readonly began: 'stopped' | 'ended';
}

type Place = Pick<World, 'files'>;

const fileName = 'receivers.ndjson';

async function appendLine({ files }: Place, folder: string, one: Line): Promise<void> {
  const file = await files.openLog(folder, () => fileName, { mode: 0o600 });
  try {
    file.write(JSON.stringify(one));
  } finally {
    file.close();
  }
}

/** Rejects with the system's own error. `lastReceived`: before this start. */
export async function recordStart(
  world: Place & Pick<World, 'clock'>,
  folder: string,
  lastReceived: number | undefined,
): Promise<void> {
  await appendLine(world, folder, {
    kind: 'start',
    time: world.clock.now(),
    ...omitUndefined({ lastReceived }),
  });
}

/** Never rejects: at the end of a run there is nothing that could be done about it. */
export async function recordStop(world: Place & Pick<World, 'clock'>, folder: string): Promise<void> {
  await appendLine(world, folder, { kind: 'stop', time: world.clock.now() }).catch(() => {});
}

/**
 * Oldest first; none before the first receiver. The last one has no end if the last receiver stopped; one that was killed cannot be
 * told from one that runs. Damaged lines are left out.
 */
export async function readGaps(world: Place, folder: string): Promise<readonly ReceiverGap[]> {
  const gaps: ReceiverGap[] = [];
  let before: Line | undefined;
  for await (const one of readLines(world, folder)) {
    if (one.kind === 'start' && before !== undefined) gaps.push(gapBetween(before, one));
    before = one;
  }
  if (before?.kind === 'stop') gaps.push({ from: before.time, began: 'stopped' });
  return gaps;
}

function gapBetween(before: Line, start: Line): ReceiverGap {
  if (before.kind === 'stop') return { from: before.time, to: start.time, began: 'stopped' };
  const lastSign = Math.max(before.time, start.lastReceived ?? before.time);
  return { from: lastSign, to: start.time, began: 'ended' };
}

async function* readLines({ files }: Place, folder: string): AsyncGenerator<Line> {
  const path = join(folder, fileName);
  // Reading a named pipe would wait for a writer.
  const bytes = (await files.kind(path)) === 'file' ? await files.stream(path) : undefined;
  if (bytes === undefined) return;
  for await (const { text } of decodeLinesLeniently(bytes))
    for (const typed of text.split('\n')) {
      const one = unlessInvalid(() => readLeniently(line, parseJsonIfValid(typed)));
      if (one !== undefined) yield one;
    }
}
