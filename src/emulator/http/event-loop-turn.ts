// The end of the current turn of the event loop, when its responses are sent together, except responses with an injected fault.
// Sending them one by one would wake the client each time, which costs more than the response (docs/decisions/batched-responses.md).

import type { Clock } from '#world/world.ts';

/** Calls within one turn get the same promise. */
export function createEndOfTurn({ nextTurn }: Pick<Clock, 'nextTurn'>): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () => {
    end ??= nextTurn().then(() => {
      end = undefined;
    });
    return end;
  };
}
