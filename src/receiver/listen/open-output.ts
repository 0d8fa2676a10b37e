// Opens the output of a receiver or forwarder: its metrics, its view on the terminal with warnings and titles, and its page. The view is
// a redrawn screen if the terminal can do that, otherwise lines; it has keys if a user can press them. A background job shares its
// terminal, so it gets lines and no keys.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { canRedraw } from '#terminal/line-drawing.ts';
import { describeDetails } from '../archive/deliveries/delivery-line.ts';
import { createTitleCache } from '../archive/deliveries/delivery-summary.ts';
import { createTargets } from '../archive/replaying/targets.ts';
import type { Forwarder } from '../core/forwarding/forwarder.ts';
import { loopHeader, type OnActivity } from '../core/intake/delivery-journal.ts';
import type { ReceiverState } from '../core/metrics/metrics.ts';
import { createLineView } from './line-view.ts';
import { type Counting, describeCounts } from './listen-counts.ts';
import type { ListenFlags } from './listen-flags.ts';
import type { ListenView, ViewOptions } from './listen-view.ts';
import { createWarnings } from './listen-warnings.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import { startStatusServer } from './status-server.ts';
import type { StopSignals } from './stop-signals.ts';

export type ReceiverOutput = Awaited<ReturnType<typeof openOutput>>;

export interface StartOptions {
  readonly counting: Counting;
  /** `interrupt`: for Ctrl-C in raw mode, where it is a key. */
  readonly signals: Pick<StopSignals, 'first' | 'interrupt'>;
  readonly quit: () => void;
  /** Closes what was opened, the last first, if the start fails. */
  readonly onFailure: (close: () => Promise<unknown>) => void;
}

interface OutputOptions extends StartOptions {
  readonly storage: ReceiverStorage;
  readonly commandName: 'listen' | 'forward';
}

export async function openOutput(context: Context, flags: ListenFlags, options: OutputOptions) {
  const { storage, counting, quit, onFailure, commandName } = options;
  const { journal } = storage;
  const status = flags.metrics && (await startStatusServer(context, flags.metrics));
  onFailure(async () => status?.close());
  // At once, even if the start has not ended.
  if (status) void options.signals.first.then(status.onStop);
  let opened: ListenView | undefined;
  const titles = createTitleCache();
  const targets = await createTargets(context.world, flags, {
    view() {
      if (!opened) throw new Error('A delivery came before the view was created');
      return opened;
    },
    onReaderGone: quit,
    ownHeaders: { [loopHeader]: storage.loop },
    ...(storage.isShared ? { printsOtherwise: false } : {}),
  });
  const command = (name: 'replay' | 'log', operands: readonly string[], ...flags: readonly string[]) =>
    formatCommandWith(context, `webhook ${name}`, operands, ...flags, ...storage.flags);
  const view = await chooseView(context, { ...options, titles, targets }, (sequence) =>
    command('log', [String(sequence)], '--body'),
  );
  opened = view;
  onFailure(() => view.end());
  const page = flags.ui ? await storage.openPage(titles, commandName) : undefined;
  onFailure(async () => page?.close());
  const warningOf = createWarnings(
    command('replay', [], '--dead-letters', ...(storage.replayFlags?.(targets.routing) ?? [])),
    (sequence) => command('log', [String(sequence)]),
  );
  return {
    status,
    view,
    targets,
    page,
    onActivity(...[activity, isSample]: Parameters<OnActivity>) {
      counting.add(activity);
      status?.onActivity(activity);
      const warning = isSample ? undefined : warningOf(activity);
      if (warning !== undefined) view.warn(warning);
      view.show(activity);
      page?.onActivity(activity);
    },
    async onReady(forwarder: Forwarder, webhook: () => ReceiverState['webhook'] = () => undefined) {
      status?.onReady(() => ({
        time: context.world.clock.now(),
        journal: journal.state(),
        forwarder: forwarder.state(),
        webhook: webhook(),
      }));
      await titles.load(context);
    },
  };
}

/** `showBody`: returns the command that prints a whole body. */
async function chooseView(
  context: Context,
  options: OutputOptions & ViewOptions,
  showBody: (sequence: number) => string,
): Promise<ListenView> {
  const { world, report, canPrompt } = context;
  const { input, output } = world.streams;
  const isForPerson = output.isTerminal && !report.wantsJson;
  const isAlone = isForPerson && world.process.isInForeground();
  const redraws = isAlone && canRedraw(output, world.environment);
  const typing = isAlone && canPrompt ? input.terminal : undefined;
  const { counting, storage, quit, signals } = options;
  const { journal, isShared } = storage;
  const counts = () => describeCounts(counting.now(), journal.state().unfinished);
  // A line has no room for reasons.
  const briefCounts = () =>
    describeCounts({ ...counting.now(), rejectedFor: {} }, journal.state().unfinished);
  let digits = '';
  const footer = () =>
    digits === '' ? `${briefCounts()}${typing ? '  (? for keys)' : ''}` : `#${digits}  (d or Enter: show it)`;
  const live = redraws
    ? (await import('./live-view.ts')).createLiveView(world, options, report.isQuiet, footer)
    : undefined;
  const view = live ?? createLineView(context, options);
  if (!typing) return view;

  const { keyHelp, listenForKeys } = await import('./listen-keys.ts');
  let last: number | undefined;
  const showDetails = async (sequence: number | undefined) => {
    if (sequence === undefined) return view.reply('No delivery has come yet.');
    const delivery = await journal.read(sequence).catch(() => undefined);
    view.reply(
      delivery ? describeDetails(delivery, showBody).join('\n') : `Delivery #${sequence} was not found.`,
    );
  };
  const stopListening = listenForKeys(typing, world.process, redraws, {
    details: (sequence) => void showDetails(sequence ?? last),
    counters: () => view.reply(counts()),
    retry: () => view.reply(storage.retryNow?.() ?? 'A sink itself hands out again what is due.'),
    help: () => view.reply(keyHelp),
    quit,
    interrupt: () => signals.interrupt('SIGINT'),
    onDigits(next) {
      digits = next;
      live?.refresh();
    },
    drawAgain: () => live?.refresh(),
  });
  return {
    ...view,
    show(activity) {
      if (activity.kind === 'stored' || (isShared && activity.kind === 'attempt'))
        last = activity.delivery.sequence;
      view.show(activity);
    },
    async end() {
      stopListening();
      await view.end();
    },
  };
}
