// What shows the deliveries of a process that receives or forwards them: its metrics, its view on the terminal with warnings and titles,
// and its page.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { OnActivity } from '#receiver/intake/activity.ts';
import { loopHeader } from '#receiver/intake/stored-delivery.ts';
import type { StateNow } from '#receiver/metrics/metrics.ts';
import { chooseView } from './choose-view.ts';
import type { ForwardingRecord } from './forwarding-file.ts';
import { createKnownTitles } from './known-titles.ts';
import type { Counting } from './listen-counts.ts';
import type { ListenFlags } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';
import { createWarnings } from './listen-warnings.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import { startStatusServer } from './status-server.ts';
import type { StopSignals } from './stop-signals.ts';
import { createTargets } from './targets.ts';

export type Showing = Awaited<ReturnType<typeof openShowing>>;

/** For the start of a receiver or a forwarder. */
export interface StartOptions {
  readonly counting: Counting;
  readonly signals: Pick<StopSignals, 'first' | 'interrupt'>;
  readonly quit: () => void;
}

export interface ShowingOptions extends StartOptions {
  readonly storage: ReceiverStorage;
  readonly by: 'listen' | 'forward';
}

/** Rejects with nothing left open. */
export async function openShowing(
  context: Context,
  flags: ListenFlags,
  { storage, counting, signals, quit, by }: ShowingOptions,
) {
  const { journal } = storage;
  const status = flags.metrics && (await startStatusServer(context, flags.metrics));
  let view: ListenView | undefined;
  try {
    const titles = createKnownTitles();
    const targets = await createTargets(context.world, flags, {
      view() {
        if (!view) throw new Error('a delivery before there is a view');
        return view;
      },
      onReaderGone: quit,
      ownHeaders: { [loopHeader]: storage.loop },
      ...(storage.isShared ? { printsOtherwise: false } : {}),
    });
    const command = (of: 'replay' | 'log', words: readonly string[], ...more: readonly string[]) =>
      formatCommandWith(context, `webhook ${of}`, words, ...more, ...storage.flags);
    const shown = await chooseView(context, {
      titles,
      forwards: targets.forwards,
      hasSeveralTargets: targets.all.length > 1,
      isShared: storage.isShared,
      onReaderGone: quit,
      counting,
      journal,
      showBody: (sequence) => command('log', [String(sequence)], '--body'),
      quit,
      interrupt: () => signals.interrupt('SIGINT'),
    });
    view = shown;
    const page = flags.ui ? await storage.openPage(titles, by) : undefined;
    const warningOf = createWarnings({
      replay: command('replay', [], '--dead-letters', ...storage.replayFlags(targets.routing)),
      log: (sequence) => command('log', [String(sequence)]),
    });
    let forwarding: ForwardingRecord | undefined;
    return {
      status,
      view: shown,
      targets,
      page,
      onActivity(...[activity, isSample]: Parameters<OnActivity>) {
        counting.add(activity);
        status?.onActivity(activity);
        const warning = isSample ? undefined : warningOf(activity);
        if (warning !== undefined) shown.warn(warning);
        shown.show(activity);
        page?.onActivity(activity);
        forwarding?.onActivity(activity);
      },
      /** From now on it is written down where this process sends what. */
      recordForwarding() {
        forwarding = storage.recordForwarding(targets.routing);
        return forwarding;
      },
      /** Deliveries are forwarded from now on. */
      async onReady(forwarder: Forwarder, webhook: () => StateNow['webhook'] = () => undefined) {
        status?.onReady({ journal, forwarder, webhook });
        page?.onReady(forwarder);
        await titles.load(context);
      },
      async close() {
        await page?.close();
        await shown.end();
        await status?.close();
      },
    };
  } catch (error) {
    await view?.end();
    await status?.close();
    throw error;
  }
}
