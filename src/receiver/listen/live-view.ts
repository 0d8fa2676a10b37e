// Shows activity on a terminal: lines of finished deliveries, and below them current deliveries and counters, redrawn in place.

import { formatTimeOfDay } from '#dates/local-time.ts';
import { widthOf } from '#terminal/line-drawing.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { displayWidth, truncateEnd } from '#terminal/width.ts';
import { wrapMessage } from '#terminal/wrap-message.ts';
import type { World } from '#world/world.ts';
import {
  describeAttempt,
  describeDelivery,
  describeDeliveryWithin,
} from '../archive/deliveries/delivery-line.ts';
import { type DeliverySummary, summarize } from '../archive/deliveries/delivery-summary.ts';
import type { Activity, StoredDelivery } from '../core/intake/delivery-journal.ts';
import { type ListenView, printTargetName, type ViewOptions } from './listen-view.ts';

const frameMs = 100;
/** The maximum age of counters that other processes change. */
const sharedMs = 1_000;
/** The most lines of one frame; further ones are counted. */
const mostLines = 100;
const mostUnderWay = 5;
const mostRemembered = 1_000;

interface UnderWay {
  readonly summary: DeliverySummary;
  readonly outcomes: Map<string, string>;
}

/** `footer`: returns the last line, the counters and the typed digits. `refresh` redraws soon, because the footer has changed. */
export function createLiveView(
  { streams: { output }, clock, secrets }: Pick<World, 'streams' | 'clock' | 'secrets'>,
  { titles, targets: { forwards, all }, storage: { isShared }, quit }: ViewOptions,
  isQuiet: boolean,
  footer: () => string,
): ListenView & { refresh(): void } {
  const underWay = new Map<number, UnderWay>();
  let lines: string[] = [];
  /** The lines of the last frame that are redrawn. */
  let drawn: readonly string[] = [];
  let omitted = 0;
  let cancelFrame: (() => void) | undefined;
  let drawing: Promise<void> | undefined;
  let isOver = false;

  const print = (line: string) => {
    if (lines.length < mostLines) lines.push(line);
    else omitted++;
  };
  /** Prints the lines above the last ones, which it redraws in place. */
  const draw = async (isLast = false) => {
    const width = widthOf(output);
    const above = omitted === 0 ? lines : [...lines, `(${omitted} more lines)`];
    lines = [];
    omitted = 0;
    // A terminal that became narrower has wrapped the lines.
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);
    // The cursor is at the end of the last line.
    const back = drawn.length === 0 ? '' : `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`;
    const below = isLast ? [] : [...describeUnderWay(underWay, width), footer()];
    // Leave the last column free: terminals differ in how they wrap there.
    drawn = below.map((line) => truncateEnd(secrets.redact(sanitizeLine(line)), width - 1));
    const printed = above.flatMap((line) => wrapMessage(secrets.redact(line), width, 2));
    const text = back + printed.map((line) => `${line}\n`).join('') + drawn.join('\n');
    if (text !== '') await output.write(text);
    if (output.isReaderGone) quit();
  };
  const frame = () => {
    cancelFrame = undefined;
    // A slow terminal gets the next frame once it has taken this one.
    if (drawing) return refresh();
    // Ignore a terminal that cannot be written to: deliveries are stored and forwarded anyway.
    const ignored = draw().catch(() => {});
    drawing = ignored.then(() => {
      drawing = undefined;
    });
  };
  const refresh = () => {
    if (!isOver) cancelFrame ??= clock.after(frameMs, frame);
  };
  let cancelRefresh = () => {};
  const refreshLater = () => {
    cancelRefresh = clock.after(sharedMs, () => {
      refresh();
      refreshLater();
    });
  };
  if (isShared) refreshLater();
  const answer = (text: string) => {
    for (const line of text.split('\n')) print(sanitizeLine(line));
    refresh();
  };
  const begin = (delivery: StoredDelivery): UnderWay => {
    const current = underWay.get(delivery.sequence);
    if (current) return current;
    const entry = { summary: summarize(delivery, titles), outcomes: new Map<string, string>() };
    underWay.set(delivery.sequence, entry);
    const [oldest] = underWay.keys();
    if (underWay.size > mostRemembered && oldest !== undefined) underWay.delete(oldest);
    return entry;
  };
  const show = (activity: Activity) => {
    if (activity.kind === 'stored') {
      if (isShared) print(describeDelivery(summarize(activity.delivery, titles)));
      else if (forwards) begin(activity.delivery);
    } else if (activity.kind === 'attempt') {
      if (!forwards || activity.target === printTargetName) return;
      const { summary, outcomes } = begin(activity.delivery);
      outcomes.set(activity.target, describeAttempt(activity, all.length > 1));
      if (activity.finishes || isShared) {
        underWay.delete(activity.sequence);
        print(describeDelivery(summary, [...outcomes.values()].join(', ')));
      }
    } else if (activity.kind === 'duplicate')
      print(`${formatTimeOfDay(activity.time)}  #${activity.sequence}  came again`);
    else if (activity.kind === 'handshake') print(`${formatTimeOfDay(activity.time)}  handshake`);
    refresh();
  };

  return {
    show,
    refresh,
    async printDelivery(delivery) {
      print(describeDelivery(summarize(delivery, titles)));
      refresh();
    },
    message: (text) => {
      if (!isQuiet) answer(text);
    },
    reply: answer,
    warn: answer,
    async end() {
      isOver = true;
      cancelRefresh();
      cancelFrame?.();
      await drawing;
      await draw(true).catch(() => {});
    },
  };
}

function describeUnderWay(underWay: ReadonlyMap<number, UnderWay>, width: number): readonly string[] {
  const current = [...underWay.values()].slice(-mostUnderWay);
  const more = underWay.size - current.length;
  return [
    ...(more > 0 ? [`(${more} more under way)`] : []),
    ...current.map(({ summary, outcomes }) =>
      describeDeliveryWithin(width - 1, summary, [...outcomes.values()].join(', ') || '...'),
    ),
  ];
}
