// What shows the deliveries of a process that receives or forwards them: its metrics, its view on the terminal with warnings and titles,
// and its page.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { loopHeader } from '#receiver/forwarding/forwarded-headers.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { OnActivity } from '#receiver/intake/activity.ts';
import type { StateNow } from '#receiver/metrics/metrics.ts';
import { chooseView } from './choose-view.ts';
import type { Titles } from './delivery-summary.ts';
import type { ForwardingRecord } from './forwarding-file.ts';
import { createKnownTitles } from './known-titles.ts';
import type { Counting } from './listen-counts.ts';
import type { ListenFlags } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';
import { createWarnings } from './listen-warnings.ts';
import type { ReceiverPage } from './receiver-page.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import { type StatusServer, startStatusServer } from './status-server.ts';
import { createTargets, type Targets } from './targets.ts';

export interface Showing {
  readonly status: StatusServer;
  readonly view: ListenView;
  readonly targets: Targets;
  readonly page: ReceiverPage | undefined;
  readonly onActivity: OnActivity;
  /** From now on it is written down where this process sends what. */
  recordForwarding(): ForwardingRecord;
  /** Deliveries are forwarded from now on. */
  onReady(forwarder: Forwarder, webhook?: () => StateNow['webhook']): Promise<void>;
  close(): Promise<void>;
}

export interface ShowingOptions {
  readonly storage: ReceiverStorage;
  readonly counting: Counting;
  readonly quit: () => void;
  readonly interrupt: () => void;
  readonly openPage: (titles: Titles) => Promise<ReceiverPage | undefined>;
}

/** Rejects with nothing left open. */
export async function openShowing(
  context: Context,
  flags: ListenFlags,
  { storage, counting, quit, interrupt, openPage }: ShowingOptions,
): Promise<Showing> {
  const { journal } = storage;
  const status = await startStatusServer(context, flags.metrics);
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
      interrupt,
    });
    view = shown;
    const page = flags.ui ? await openPage(titles) : undefined;
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
      onActivity(activity, isSample) {
        counting.add(activity);
        status.onActivity(activity);
        const warning = isSample ? undefined : warningOf(activity);
        if (warning !== undefined) shown.warn(warning);
        shown.show(activity);
        page?.onActivity(activity);
        forwarding?.onActivity(activity);
      },
      recordForwarding() {
        forwarding = storage.recordForwarding(targets.routing);
        return forwarding;
      },
      async onReady(forwarder, webhook = () => undefined) {
        status.onReady({ journal, forwarder, webhook });
        page?.onReady(forwarder);
        await titles.load(context);
      },
      async close() {
        await page?.close();
        await shown.end();
        await status.close();
      },
    };
  } catch (error) {
    await view?.end();
    await status.close();
    throw error;
  }
}
