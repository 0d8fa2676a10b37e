// Chooses how a receiver shows its activity: on a redrawn screen if the terminal can do that, otherwise as lines; with keys if a user can
// press them. A background job shares its terminal, so it gets lines and no keys.

import type { Context } from '#cli/context.ts';
import { canRedraw } from '#terminal/line-drawing.ts';
import { describeDetails } from './delivery-line.ts';
import { createLineView } from './line-view.ts';
import { type Counting, describeCounts } from './listen-counts.ts';
import type { ListenView, ViewOptions } from './listen-view.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import type { StopSignals } from './stop-signals.ts';

interface ChooseViewOptions extends ViewOptions {
  readonly storage: ReceiverStorage;
  readonly counting: Counting;
  /** Returns the command that prints a whole body. */
  readonly showBody: (sequence: number) => string;
  /** For Ctrl-C in raw mode, where it is a key. */
  readonly signals: Pick<StopSignals, 'interrupt'>;
}

export async function chooseView(context: Context, options: ChooseViewOptions): Promise<ListenView> {
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
      delivery
        ? describeDetails(delivery, options.showBody).join('\n')
        : `Delivery #${sequence} was not found.`,
    );
  };
  const stopListening = listenForKeys(typing, world.process, redraws, {
    details: (sequence) => void showDetails(sequence ?? last),
    counters: () => view.reply(counts()),
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
