// The end of the present turn of the event loop, where all answers that were worked out in it are sent, one after the
// other, but for those that are spoilt on purpose. Each answer that is sent by itself wakes the client, which costs more
// than the answer (docs/decisions/batched-responses.md).

import type { Clock } from '../../world/world.ts';

/** Gives the same promise to all who ask in one turn. */
export function createEndOfTurn({ nextTurn }: Pick<Clock, 'nextTurn'>): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () => {
    end ??= nextTurn().then(() => {
      end = undefined;
    });
    return end;
  };
}
