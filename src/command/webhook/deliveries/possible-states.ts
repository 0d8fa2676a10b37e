// Which deliveries may be in the states that are asked for, as far as it can be known before any of them is decoded: of 300,000,
// perhaps 50 are dead letters, and to decode the others would take most of the time.

import type { EntrySource, JournalBounds } from './entry-source.ts';
import type { DeliveryState } from './known-delivery.ts';

type MayBeIn = (sequence: number) => boolean;

/** For deliveries with this number or a higher one. Reads the attempts if that is necessary. It may return true for some others. */
export async function createStateGuess(
  source: Pick<EntrySource, 'read'>,
  states: readonly DeliveryState[],
  bounds: Pick<JournalBounds, 'last' | 'isUnfinished'>,
  from: number,
): Promise<MayBeIn> {
  if (states.length === 0 || states.some((state) => !knownEarly.has(state))) return () => true;
  const dead = states.some((state) => deadStates.has(state)) ? await readDead(source, from) : new Set();
  const wantsUnfinished = states.some((state) => unfinishedStates.has(state));
  return (sequence) =>
    // Nothing is known of what came since.
    sequence > bounds.last || dead.has(sequence) || (wantsUnfinished && bounds.isUnfinished(sequence));
}

const unfinishedStates: ReadonlySet<DeliveryState> = new Set(['waiting', 'retrying']);
const deadStates: ReadonlySet<DeliveryState> = new Set(['dead', 'replayed']);
/** Most deliveries are in one of the others. */
const knownEarly: ReadonlySet<DeliveryState> = new Set([...unfinishedStates, ...deadStates]);

/** Those that were given up for a target. */
async function readDead({ read }: Pick<EntrySource, 'read'>, from: number): Promise<ReadonlySet<number>> {
  const dead = new Set<number>();
  const selection = {
    wantsDelivery: () => false,
    wantsAttempt: (_: number, isDead: () => boolean) => isDead(),
  };
  for await (const entry of read({ from: { sequence: from }, selection }))
    if (entry.kind === 'attempt') dead.add(entry.sequence);
  return dead;
}
