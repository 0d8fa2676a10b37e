// Runs many tasks at once, but those of one lane one after another: items that share a lane keep their order.

import { createLaneQueue } from '../forwarding/lane-queue.ts';

export interface InLanes<T> {
  readonly items: AsyncIterable<T>;
  lanesOf(item: T): readonly string[];
  run(item: T): Promise<void>;
  readonly atOnce: number;
  /** When aborted, nothing more is started; what has been started is waited for. */
  readonly signal: AbortSignal;
}

/** How many are read ahead, so that one lane with many items leaves work for the others. */
const readAhead = 4;

/** Rejects with the first failure, once everything that has been started is done. */
export async function runInLanes<T>({ items, lanesOf, run, atOnce, signal }: InLanes<T>): Promise<void> {
  const lanes = createLaneQueue<T>();
  const ready: T[] = [];
  let active = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const nextChange = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const isEnded = () => signal.aborted || failure !== undefined;
  const runOne = async (item: T) => {
    try {
      await run(item);
    } catch (error) {
      failure ??= { error };
    }
    active -= 1;
    ready.push(...lanes.finish(item));
    startReady();
    wake();
  };
  const startReady = () => {
    while (!isEnded() && active < atOnce) {
      const item = ready.shift();
      if (item === undefined) return;
      active += 1;
      void runOne(item);
    }
  };
  for await (const item of items) {
    while (!isEnded() && lanes.size >= readAhead * atOnce) await nextChange();
    if (isEnded()) break;
    if (lanes.add(item, lanesOf(item))) ready.push(item);
    startReady();
  }
  while (active > 0) await nextChange();
  if (failure) throw failure.error;
}
