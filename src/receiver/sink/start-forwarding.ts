// Runs `wm webhook forward`: opens the sink and forwards until the user ends it.

import type { Context } from '#cli/context.ts';
import { namesTargets, unknownTarget } from '../archive/replaying/target-flags.ts';
import { createCounting } from '../listen/listen-counts.ts';
import { checkPageFlags } from '../listen/listen-flags.ts';
import { printRunRecord } from '../listen/listen-record.ts';
import { openOutput } from '../listen/open-output.ts';
import { runReceiver } from '../listen/run-receiver.ts';
import { unlessStopped } from '../listen/stop-signals.ts';
import { openSinkStorage } from './sink-storage.ts';

export async function forwardFromSink(context: Context, flags: Parameters<typeof openSinkStorage>[1]) {
  if (!namesTargets(flags)) throw unknownTarget();
  checkPageFlags(flags);
  const abandoned = 'Within five seconds another forwarder gets them, or else the next run.';
  await runReceiver(context, flags, createCounting({ receives: false }), abandoned, async (options) => {
    const storage = await unlessStopped(options.signals, openSinkStorage(context, flags));
    options.onFailure(() => storage.journal.close());
    options.onFailure(() => storage.noteStop());
    const output = await openOutput(context, flags, { ...options, storage, commandName: 'forward' });
    const { view, page, targets } = output;
    const forwarder = await storage.startForwarder(targets, output.onActivity);
    await output.onReady(forwarder);
    const names = targets.all.map(({ name }) => name);
    const members = { sink: storage.name, targets: names, ...(page && { page: page.url }) };
    await printRunRecord(context, 'forwarding', members);
    view.message(
      [
        `Forwarding from ${storage.name} (Ctrl-C ends it)`,
        `  target:  ${names.join(', ')}`,
        ...(page === undefined ? [] : [`  page:    ${page.url}`]),
      ].join('\n'),
    );
    return { storage, forwarder, output };
  });
}
