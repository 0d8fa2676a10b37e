// Reads ahead, for a reader that passes on deliveries as it reads: notes that come long after their delivery, and which deliveries are dead
// letters.

import type { EntrySource, JournalBounds } from './delivery-archive.ts';
import type { DeliveryState } from './logged-delivery.ts';

const earlyStates: ReadonlySet<DeliveryState> = new Set(['waiting', 'retrying', 'dead', 'replayed']);

export interface NotesAhead {
  /** The notes that come long after their delivery, each as a line of JSON: objects would take several times the memory. */
  readonly late: Map<number, string>;
  /** Guesses whether a delivery has a requested state; may include others. */
  readonly mayBeInStates: (sequence: number) => boolean;
}

/** `most`: a note that comes more than this many deliveries after its own is late. `isOutline`: only what is waiting or dead is shown. */
export async function readAhead(
  source: Pick<EntrySource, 'read'>,
  states: readonly DeliveryState[],
  isOutline: boolean,
  bounds: JournalBounds,
  from: number,
  most: number,
): Promise<NotesAhead> {
  // To know any other state, which most deliveries have, needs the decoded delivery.
  const areEarly = states.length > 0 && states.every((state) => earlyStates.has(state));
  const wantsUnfinished = states.some((state) => state === 'waiting' || state === 'retrying');
  const wantsDead = areEarly && states.some((state) => state === 'dead' || state === 'replayed');
  const late: NotesAhead['late'] = new Map();
  const dead = new Set<number>();
  let expected = from;
  const isLate = (sequence: number) => sequence >= from && expected - sequence > most;
  const isShown = (sequence: number) => !isOutline || bounds.isUnfinished(sequence) || dead.has(sequence);
  const selection = {
    wantsDelivery(sequence: number) {
      expected = Math.max(expected, sequence + 1);
      return false;
    },
    wantsAttempt: (sequence: number, isDead: () => boolean) =>
      (isLate(sequence) && isShown(sequence)) || (wantsDead && isDead()),
  };
  if (wantsDead || most < Number.POSITIVE_INFINITY)
    for await (const entry of source.read({ from, selection })) {
      if (entry.kind !== 'attempt' && entry.kind !== 'duplicate') continue;
      const { sequence } = entry;
      if (entry.kind === 'attempt' && entry.verdict === 'dead') dead.add(sequence);
      if (!isLate(sequence)) continue;
      const isOver = entry.kind === 'attempt' && entry.finishes && areEarly && !dead.has(sequence);
      if (isOver) late.delete(sequence);
      else {
        const earlier = late.get(sequence);
        late.set(sequence, `${earlier === undefined ? '' : `${earlier}\n`}${JSON.stringify(entry)}`);
      }
    }
  // Deliveries that came in since are unknown, so they may match.
  const mayBeInStates = (sequence: number) =>
    !areEarly ||
    sequence > bounds.last ||
    dead.has(sequence) ||
    (wantsUnfinished && bounds.isUnfinished(sequence));
  return { late, mayBeInStates };
}
