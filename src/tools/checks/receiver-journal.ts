// The doctor's check of the receiver's journal: its size, waiting and damaged deliveries, and the process that has it open.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { countOf, formatSize } from '#cli/count-of.ts';
import { journalFolder } from '#cli/journal-folder.ts';
import { lockName, parseNames, segmentPath } from '#receiver/core/journal/segment-names.ts';
import { readContents } from '#receiver/core/journal/start-up.ts';
import type { World } from '#world/world.ts';
import type { Outcome } from './finding.ts';

/** Checks the default journal, if it exists. */
export async function deliveriesCheck({ world }: Pick<Context, 'world'>): Promise<Outcome[]> {
  const { files } = world;
  const folder = journalFolder(world, undefined);
  const { segments } = parseNames(await files.list(folder));
  if (segments.length === 0) return [];
  let bytes = 0;
  for (const number of segments) bytes += await files.size(segmentPath(folder, number));
  const { contents, findings } = await readContents(files, folder, segments);
  const waiting = contents.unfinished;
  const parts = [
    `${folder} (${formatSize(bytes)})`,
    ...(waiting === 0 ? [] : [`${countOf(waiting, 'delivery', 'deliveries')} not forwarded yet`]),
    await describeHolder(world, folder),
  ];
  const found = parts.join('; ');
  const damaged = findings.filter(({ kind }) => kind !== 'torn');
  if (damaged.length === 0) return [{ result: 'good', found }];
  const names = [...new Set(damaged.map(({ file }) => file))].join(', ');
  const remedy = 'wm uses what it can still read. Restore these files from a backup if you have one.';
  return [{ result: 'bad', found: `${found}; damaged or missing: ${names}`, remedy }];
}

async function describeHolder(world: Pick<World, 'lock'>, folder: string): Promise<string> {
  const path = join(folder, lockName);
  if (!(await world.lock.isHeld(path))) return 'no receiver is running';
  const holder = await world.lock.holder(path);
  return holder === undefined ? 'a receiver is running' : `process ${holder.pid} is receiving`;
}
