// Opens the output of a receiver or forwarder: its metrics, its view on the terminal with warnings and titles, and its page.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { OnActivity } from '#receiver/intake/activity.ts';
import { loopHeader } from '#receiver/intake/stored-delivery.ts';
import type { ReceiverState } from '#receiver/metrics/metrics.ts';
import { chooseView } from './choose-view.ts';
import { createTitleCache } from './delivery-summary.ts';
import type { ForwardingRecord } from './forwarding-file.ts';
import type { Counting } from './listen-counts.ts';
import type { ListenFlags } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';
import { createWarnings } from './listen-warnings.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import { startStatusServer } from './status-server.ts';
import type { StopSignals } from './stop-signals.ts';
import { createTargets } from './targets.ts';

export type ReceiverOutput = Awaited<ReturnType<typeof openOutput>>;

export interface StartOptions {
  readonly counting: Counting;
  readonly signals: Pick<StopSignals, 'first' | 'interrupt'>;
  readonly quit: () => void;
}

interface OutputOptions extends StartOptions {
  readonly storage: ReceiverStorage;
  readonly commandName: 'listen' | 'forward';
}

/** Rejects with nothing left open. */
export async function openOutput(
  context: Context,
  flags: ListenFlags,
  { storage, counting, signals, quit, commandName }: OutputOptions,
) {
  const { journal } = storage;
  const status = flags.metrics && (await startStatusServer(context, flags.metrics));
  let view: ListenView | undefined;
  try {
    const titles = createTitleCache();
    const targets = await createTargets(context.world, flags, {
      view() {
        if (!view) throw new Error('A delivery came before the view was created');
        return view;
      },
      onReaderGone: quit,
      ownHeaders: { [loopHeader]: storage.loop },
      ...(storage.isShared ? { printsOtherwise: false } : {}),
    });
    const command = (name: 'replay' | 'log', operands: readonly string[], ...flags: readonly string[]) =>
      formatCommandWith(context, `webhook ${name}`, operands, ...flags, ...storage.flags);
    const opened = await chooseView(context, {
      titles,
      targets,
      storage,
      counting,
      showBody: (sequence) => command('log', [String(sequence)], '--body'),
      quit,
      signals,
    });
    view = opened;
    const page = flags.ui ? await storage.openPage(titles, commandName) : undefined;
    const warningOf = createWarnings(
      command('replay', [], '--dead-letters', ...storage.replayFlags(targets.routing)),
      (sequence) => command('log', [String(sequence)]),
    );
    let forwarding: ForwardingRecord | undefined;
    return {
      status,
      view: opened,
      targets,
      page,
      onActivity(...[activity, isSample]: Parameters<OnActivity>) {
        counting.add(activity);
        status?.onActivity(activity);
        const warning = isSample ? undefined : warningOf(activity);
        if (warning !== undefined) opened.warn(warning);
        opened.show(activity);
        page?.onActivity(activity);
        forwarding?.onActivity(activity);
      },
      recordForwarding() {
        forwarding = storage.recordForwarding(targets.routing);
        return forwarding;
      },
      async onReady(forwarder: Forwarder, webhook: () => ReceiverState['webhook'] = () => undefined) {
        status?.onReady(() => ({
          time: context.world.clock.now(),
          journal: journal.state(),
          forwarder: forwarder.state(),
          webhook: webhook(),
        }));
        page?.onReady(forwarder);
        await titles.load(context);
      },
      async close() {
        await page?.close();
        await opened.end();
        await status?.close();
      },
    };
  } catch (error) {
    await view?.end();
    await status?.close();
    throw error;
  }
}
