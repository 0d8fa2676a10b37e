// Polls webhooks until the command is interrupted, and reports each change.

import type { Context } from '../../context.ts';
import { pollRepeatedly } from '../../poll-repeatedly.ts';
import type { LocalWebhooks } from '../../webhook-records/local-webhook.ts';
import { statusOf } from '../hook.ts';
import { findChanges, readWatched, type WatchedWebhooks } from './poll.ts';
import type { Resumer } from './resume-when-healthy.ts';
import { runOnChange } from './run-on-change.ts';
import { createWatchEvent, describeEvent, type WatchEvent, watchColumns } from './watch-event.ts';

interface WatchOptions {
  /** By default all that are listed. */
  readonly ids: readonly string[] | undefined;
  readonly first: WatchedWebhooks;
  readonly intervalMs: number;
  readonly exec: string | undefined;
  readonly resumer: Resumer | undefined;
}

/** Returns once nobody reads the events any more. */
export async function watchWebhooks(
  context: Context,
  { ids, first, intervalMs, exec, resumer }: WatchOptions,
): Promise<void> {
  const { world } = context;
  let known = first;
  const show = async (now: WatchedWebhooks, local: LocalWebhooks, more: { readonly byWm?: true } = {}) => {
    const changes = findChanges(known, now);
    known = now;
    for (const change of changes) {
      const event = {
        ...createWatchEvent(change, world.clock.now(), local.get(change.id)?.label),
        ...more,
      };
      await print(context, event);
      if (exec !== undefined) await runOnChange(context, exec, event);
    }
  };
  const resume = async () => {
    if (resumer)
      await show(await resumer.resumeHealthy(known), await (await context.webhookRecords()).read(), {
        byWm: true,
      });
  };
  await resume();
  await pollRepeatedly(context, {
    what: 'the webhooks',
    intervalMs,
    read: () => readWatched(context, ids, known),
    async show(now) {
      const local = await (await context.webhookRecords()).observe(statusesOf(now));
      await show(now, local);
      await resume();
    },
  });
}

export function statusesOf(webhooks: WatchedWebhooks): readonly { id: string; status?: string }[] {
  return [...webhooks].map(([id, one]) => {
    const status = statusOf(one);
    return status === undefined ? { id } : { id, status };
  });
}

/** A line each: events are no table, whose widths would need the ones to come. */
async function print({ report, world }: Context, event: WatchEvent): Promise<void> {
  if (world.streams.output.isTerminal && !report.wantsJson) await report.line(describeEvent(event));
  else await report.each({ columns: watchColumns, records: [event], raw: [event] });
}
