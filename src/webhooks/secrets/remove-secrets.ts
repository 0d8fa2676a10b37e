// Removes the stored secrets of deleted webhooks. The deletion is done by then, so a failure is only a warning, which names
// the secrets that remain.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { Deleted } from '../change/delete-one.ts';
import { findSecretPlaces, unlessStoreFails } from './secret-place.ts';
import type { SecretPlace } from './secret-store.ts';

/** Prints one warning for all secrets that may remain after a failure. The secret of a webhook that may still exist stays. */
export async function removeSecrets(
  context: Context,
  deleted: readonly Pick<Deleted, 'id' | 'isConfirmed'>[],
): Promise<void> {
  if (deleted.length === 0) return;
  const remaining = deleted.map(({ id }) => id);
  let place: SecretPlace | undefined;
  await unlessStoreFails(
    context,
    async () => {
      const placeOf = await findSecretPlaces(context);
      for (const { id, isConfirmed } of deleted) {
        place = await placeOf(id);
        const isStored = await place.has();
        if (isStored && isConfirmed) await place.remove();
        else if (isStored)
          await context.report.warn(`Its secret stays in ${place.location}. ${howToRemove(context, [id])}`);
        remaining.shift();
      }
    },
    (sentence) => {
      const subject =
        remaining.length === 1
          ? `A secret of webhook ${remaining[0]}`
          : `Secrets of ${remaining.length} deleted webhooks`;
      const where = place ? ` in ${place.location}` : '';
      return `${subject} may still be stored${where}: ${sentence}\n${howToRemove(context, remaining)}`;
    },
  );
}

function howToRemove(context: Context, ids: readonly string[]): string {
  const flags = ['--remove', ...(context.common.yes ? ['--yes'] : [])];
  const commands = ids.map((id) => formatCommandWith(context, 'webhook secret', [id], ...flags));
  return `To remove ${ids.length === 1 ? 'it' : 'them'}: ${commands.join('\n')}`;
}
