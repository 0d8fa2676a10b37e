// Shows what happens line by line: JSON, tab-separated columns, or sentences on a terminal whose cursor does not move. Usually
// a delivery gets one line, when it has been forwarded or an attempt has failed.

import type { Context } from '#cli/context.ts';
import { formatTimeOfDay } from '#cli/local-time.ts';
import type { Activity } from '#receiver/intake/activity.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Clock } from '#world/world.ts';
import { describeAttempt, describeDelivery } from './delivery-line.ts';
import { summarize } from './delivery-summary.ts';
import { printTargetName, type ViewOptions } from './listen-options.ts';
import { type ListenRecord, listenColumns, toDeliveryRecord, toRecord } from './listen-record.ts';
import type { ListenView } from './listen-view.ts';

/** A record, and the sentence that stands for it on a terminal. */
interface Line {
  readonly record: ListenRecord;
  readonly sentence: string;
}

export function createLineView(
  { report, world }: Pick<Context, 'report' | 'world'>,
  { titles, forwards, hasSeveralTargets, onReaderGone }: ViewOptions,
): ListenView {
  const { output } = world.streams;
  const isForPerson = output.isTerminal && !report.wantsJson;
  const down = new Set<string>();
  let hasFailed = false;
  const onFailure = (error: unknown) => {
    if (hasFailed) return;
    hasFailed = true;
    const why = error instanceof Error ? error.message : String(error);
    void report.warn(`Cannot write the lines: ${why}. Deliveries are stored and forwarded all the same.`);
  };
  const omitted = (count: number, sentence: string): Line => ({
    record: { kind: 'omitted', time: new Date(world.clock.now()).toISOString(), count },
    sentence,
  });
  const queue = createRecordQueue<Line>({
    async print(lines) {
      if (isForPerson) await report.line(lines.map(({ sentence }) => sentence).join('\n'));
      else {
        const records = lines.map(({ record }) => record);
        await report.each({ columns: listenColumns, records, raw: records });
      }
      if (output.isReaderGone) onReaderGone();
    },
    omitted: (count) => omitted(count, `(${count} more lines)`),
    onFailure,
    nextTurn: world.clock.nextTurn,
  });
  const waitingLines = createWaitingLines(world.clock, (count) =>
    queue.push(() =>
      omitted(count, `${formatTimeOfDay(world.clock.now())}  ${count} more wait to be forwarded`),
    ),
  );

  const isShown = (activity: Activity): boolean => {
    switch (activity.kind) {
      case 'stored':
        return forwards && (report.wantsJson || (down.size > 0 && waitingLines.take()));
      case 'attempt':
        // What a target prints is its own line, if it could be printed.
        return activity.target === printTargetName ? activity.verdict === 'dead' : forwards;
      case 'duplicate':
      case 'handshake':
        return true;
      // Elsewhere these are warnings.
      case 'rejected':
      case 'storage':
      case 'sink':
      case 'target':
        return report.wantsJson;
    }
  };
  const describe = (activity: Activity): string => {
    if (activity.kind === 'stored')
      return describeDelivery(summarize(activity.delivery, titles), 'waits to be forwarded');
    if (activity.kind === 'attempt')
      return describeDelivery(
        summarize(activity.delivery, titles),
        describeAttempt(activity, hasSeveralTargets),
      );
    if (activity.kind === 'duplicate')
      return `${formatTimeOfDay(activity.time)}  #${activity.sequence}  came again`;
    return activity.kind === 'handshake' ? `${formatTimeOfDay(activity.time)}  handshake` : '';
  };

  return {
    show(activity) {
      if (activity.kind === 'target') {
        if (activity.fault === undefined) down.delete(activity.target);
        else down.add(activity.target);
      }
      if (isShown(activity))
        queue.push(() => ({
          record: toRecord(activity, titles, world.clock.now()),
          sentence: isForPerson ? describe(activity) : '',
        }));
    },
    async printDelivery(delivery) {
      if (isForPerson) return report.line(describeDelivery(summarize(delivery, titles)));
      const record = toDeliveryRecord(delivery, titles, report.wantsJson);
      await report.each({
        columns: listenColumns,
        records: [record],
        raw: [record],
        rejectsFilterFailure: true,
      });
    },
    message: (text) => void report.info(text),
    answer: (text) => void report.line(text).catch(onFailure),
    warn: (text) => void report.warn(text.split('\n').map(sanitizeLine).join('\n')),
    end() {
      waitingLines.end();
      return queue.flush();
    },
  };
}

interface RecordQueue<T> {
  /** False if there is no room; `create` runs only if there is. */
  push(create: () => T): boolean;
  /** Everything that was pushed has been printed. */
  flush(): Promise<void>;
}

interface QueueOptions<T> {
  /** Rejects if nothing can be printed. */
  readonly print: (batch: readonly T[]) => Promise<void>;
  /** What is printed in place of so many records. */
  readonly omitted: (count: number) => T;
  readonly onFailure: (error: unknown) => void;
  /** When to print what was pushed until then: what is reported together is then one write. */
  readonly nextTurn: () => Promise<void>;
  readonly most?: number;
}

const defaultMost = 2_000;
const batchSize = 200;

export function createRecordQueue<T>({
  print,
  omitted,
  onFailure,
  nextTurn,
  most = defaultMost,
}: QueueOptions<T>): RecordQueue<T> {
  let waiting: T[] = [];
  let omittedCount = 0;
  let pump: Promise<void> | undefined;

  const run = async () => {
    while (waiting.length > 0) {
      const records = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      if (waiting.length === 0 && omittedCount > 0) {
        records.push(omitted(omittedCount));
        omittedCount = 0;
      }
      await print(records).catch(onFailure);
    }
    pump = undefined;
  };
  const start = () => {
    pump ??= nextTurn().then(run);
    return pump;
  };
  return {
    push(create) {
      // Once some were left out, those after them are too until all have been printed: the count stands where they are missing.
      if (omittedCount > 0 || waiting.length >= most) {
        omittedCount++;
        return false;
      }
      waiting.push(create());
      void start();
      return true;
    },
    async flush() {
      await pump;
    },
  };
}

const secondMs = 1_000;
const mostWaitingLines = 500;

function createWaitingLines(clock: Pick<Clock, 'after'>, report: (count: number) => void) {
  let taken = 0;
  let cancel: (() => void) | undefined;
  /** Reports what was counted so far. */
  const end = () => {
    cancel?.();
    cancel = undefined;
    if (taken > mostWaitingLines) report(taken - mostWaitingLines);
    taken = 0;
  };
  return {
    /** False if there is no room for it in this second; then it is counted. */
    take() {
      cancel ??= clock.after(secondMs, end);
      taken += 1;
      return taken <= mostWaitingLines;
    },
    end,
  };
}
