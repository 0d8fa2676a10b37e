// Records where a receiver forwards and which targets it cannot reach, for `wm webhook log --stuck` in another process. The file is beside
// the journal, which lacks attempts that did not reach their target.

import { join } from 'node:path';
import { list, number, object, type TypeOf, text } from '#contract/schema.ts';
import { readRecord, writeRecord } from '#local-records/json-records.ts';
import type { Routes } from '#receiver/core/forwarding/target.ts';
import type { Activity } from '#receiver/core/intake/delivery-journal.ts';
import type { World } from '#world/world.ts';

/** A message of a sink has these members too: sink/sink-forwarders.ts. */
export const forwardingMembers = {
  routes: list(object('route', { events: list(text('event')), target: text('target') })),
  rest: list(text('target')),
  every: list(text('target')),
  /** The targets that cannot be reached, and since when, in milliseconds since 1970. */
  outages: list(object('outage', { target: text('target'), fault: text('fault'), since: number('time') })),
};
const forwarding = object('forwarding', forwardingMembers);

export type Forwarding = TypeOf<typeof forwarding>;

const pathIn = (folder: string) => join(folder, 'forwarding.json');

export type ForwardingRecord = ReturnType<typeof followForwarding>;

/** Never throws: the receiver works without the file, and the disk may be full. */
export function recordForwarding(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  folder: string,
  routing: Routes<string>,
): ForwardingRecord {
  return followForwarding({ clock }, routing, async (now) => {
    await writeRecord(files, pathIn(folder), now).catch(() => {});
  });
}

/** Writes at once and after each change. Changes during a write go into the next one. */
export function followForwarding(
  { clock }: Pick<World, 'clock'>,
  routing: Routes<string>,
  write: (now: Forwarding) => Promise<void>,
) {
  const outages = new Map<string, { readonly fault: string; readonly since: number }>();
  let writing: Promise<void> | undefined;
  let isDue = false;
  const writeAll = async () => {
    while (isDue) {
      isDue = false;
      await write({ ...routing, outages: [...outages].map(([target, outage]) => ({ target, ...outage })) });
    }
    writing = undefined;
  };
  const changed = () => {
    isDue = true;
    writing ??= writeAll();
  };
  changed();
  return {
    onActivity(activity: Activity) {
      if (activity.kind !== 'target') return;
      const { target, fault } = activity;
      if (fault === undefined) outages.delete(target);
      else outages.set(target, { fault, since: clock.now() });
      changed();
    },
    /** Resolves once the last change was written, or writing it failed. */
    written: async () => writing,
  };
}

/** Returns `undefined` if the file is missing or damaged. Rejects if it cannot be read. */
export async function readForwarding({ files }: Pick<World, 'files'>, folder: string) {
  return readRecord(files, pathIn(folder), forwarding);
}
