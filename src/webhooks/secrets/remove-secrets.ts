// Removes the stored secrets of deleted webhooks. The deletion is done by then, so a failure is only a warning, which names
// the secrets that remain.

import type { Context } from '#cli/context.ts';
import { agree } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { Deleted } from '../change/delete-one.ts';
import { findSecretPlaces, unlessStoreFails } from './secret-place.ts';
import type { SecretPlace } from './secret-store.ts';

export async function removeSecrets(context: Context, deleted: readonly Pick<Deleted, 'id'>[]) {
  if (deleted.length === 0) return;
  const remaining = deleted.map(({ id }) => id);
  let place: SecretPlace | undefined;
  await unlessStoreFails(
    context,
    async () => {
      const placeOf = await findSecretPlaces(context);
      for (const { id } of deleted) {
        place = await placeOf(id);
        if (await place.has()) await place.remove();
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
  return `To remove ${agree(ids.length, 'it')}: ${commands.join('\n')}`;
}
