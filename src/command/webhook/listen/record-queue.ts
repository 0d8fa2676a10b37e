// Prints records without holding up whoever reports them. A limited number waits in memory and is printed in batches, as fast as the
// reader takes them. Records beyond the limit are counted, and the count is printed in their place.

export interface RecordQueue<T> {
  /** False if there is no room; `create` runs only if there is. */
  push(create: () => T): boolean;
  /** Everything that was pushed has been printed. */
  flush(): Promise<void>;
}

export interface QueueOptions<T> {
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
