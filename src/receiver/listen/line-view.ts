// Shows activity as lines: JSON, tab-separated columns, or sentences on a terminal whose cursor cannot move. Usually a delivery gets one
// line, once it is forwarded or an attempt has failed.

import type { Context } from '#cli/context.ts';
import { formatTimeOfDay } from '#dates/local-time.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { describeAttempt, describeDelivery } from '../archive/deliveries/delivery-line.ts';
import { summarize } from '../archive/deliveries/delivery-summary.ts';
import type { Activity } from '../core/intake/delivery-journal.ts';
import { createRateLimit } from '../core/journal/rejection-limit.ts';
import { type ListenRecord, listenColumns, toDeliveryRecord, toRecord } from './listen-record.ts';
import { type ListenView, printTargetName, type ViewOptions } from './listen-view.ts';

const secondMs = 1_000;
const mostWaitingLines = 500;

interface Line {
  readonly record: ListenRecord;
  readonly sentence: string;
}

export function createLineView(
  { report, world }: Pick<Context, 'report' | 'world'>,
  { titles, targets: { forwards, all }, quit }: ViewOptions,
): ListenView {
  const { output } = world.streams;
  const isForPerson = output.isTerminal && !report.wantsJson;
  const down = new Set<string>();
  let hasFailed = false;
  const onFailure = (error: unknown) => {
    if (hasFailed) return;
    hasFailed = true;
    const why = error instanceof Error ? error.message : String(error);
    void report.warn(`Cannot write the lines: ${why}. Deliveries are still stored and forwarded.`);
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
      if (output.isReaderGone) quit();
    },
    omitted: (count) => omitted(count, `(${count} more lines)`),
    onFailure,
    nextTurn: world.clock.nextTurn,
  });
  const waitingLines = createRateLimit(world.clock, secondMs, mostWaitingLines, (count) =>
    queue.push(() =>
      omitted(count, `${formatTimeOfDay(world.clock.now())}  ${count} more wait to be forwarded`),
    ),
  );

  const isShown = (activity: Activity): boolean => {
    switch (activity.kind) {
      case 'stored':
        return forwards && (report.wantsJson || (down.size > 0 && waitingLines.take()));
      case 'attempt':
        // A delivery that was printed is already a line.
        return activity.target === printTargetName ? activity.verdict === 'dead' : forwards;
      case 'duplicate':
      case 'handshake':
        return true;
      // Other views show these as warnings.
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
        describeAttempt(activity, all.length > 1),
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
    reply: (text) => void report.line(text).catch(onFailure),
    warn: (text) => void report.warn(text.split('\n').map(sanitizeLine).join('\n')),
    end() {
      waitingLines.end();
      return queue.flush();
    },
  };
}

interface QueueOptions<T> {
  readonly print: (batch: readonly T[]) => Promise<void>;
  readonly omitted: (count: number) => T;
  readonly onFailure: (error: unknown) => void;
  /** Waits until all reports of the same moment are pushed, so that they become one write. */
  readonly nextTurn: () => Promise<void>;
  readonly limit?: number;
}

const defaultLimit = 2_000;
const batchSize = 200;

export function createRecordQueue<T>({
  print,
  omitted,
  onFailure,
  nextTurn,
  limit = defaultLimit,
}: QueueOptions<T>) {
  let waiting: T[] = [];
  let omittedCount = 0;
  let printing: Promise<void> | undefined;

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
    printing = undefined;
  };
  const start = () => {
    printing ??= nextTurn().then(run);
    return printing;
  };
  return {
    /** Returns false, without calling `create`, if the queue is full. */
    push(create: () => T) {
      // After an omission, omit all until the queue is empty, so that the count stands where records are missing.
      if (omittedCount > 0 || waiting.length >= limit) {
        omittedCount++;
        return false;
      }
      waiting.push(create());
      void start();
      return true;
    },
    async flush() {
      await printing;
    },
  };
}
