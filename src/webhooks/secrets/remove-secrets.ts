// Removes the stored secrets of deleted webhooks. The deletion is done by then, so a failure is only a warning, which names
// the secrets that remain.

import type { Context } from '#cli/context.ts';
import { type FormatContext, formatCommandWith } from '#cli/format-command.ts';
import { findSecretPlaces, unlessStoreFails } from './secret-place.ts';
import type { SecretPlace } from './secret-store.ts';

type SecretContext = Pick<Context, 'world' | 'account' | 'report'> & FormatContext;

/** Prints one warning for all secrets that may remain. */
export async function removeStoredSecrets(context: SecretContext, ids: readonly string[]): Promise<void> {
  const remaining = [...ids];
  await withPlaces(context, ids, remaining, async (place) => {
    if (await place.has()) await place.remove();
    remaining.shift();
  });
}

/** Keeps the secrets of webhooks that may still exist, and warns. */
export async function reportKeptSecrets(context: SecretContext, ids: readonly string[]): Promise<void> {
  await withPlaces(context, ids, ids, async ({ has, location, owner }) => {
    if (!(await has())) return;
    await context.report.warn(`Its secret stays in ${location}. ${howToRemove(context, [owner.webhookId])}`);
  });
}

async function withPlaces(
  context: SecretContext,
  ids: readonly string[],
  remaining: readonly string[],
  use: (place: SecretPlace) => Promise<void>,
): Promise<void> {
  let place: SecretPlace | undefined;
  await unlessStoreFails(
    context,
    async () => {
      const placeOf = await findSecretPlaces(context);
      for (const id of ids) {
        place = await placeOf(id);
        await use(place);
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

function howToRemove(context: FormatContext, ids: readonly string[]): string {
  const flags = ['--remove', ...(context.common.yes ? ['--yes'] : [])];
  const commands = ids.map((id) => formatCommandWith(context, 'webhook secret', [id], ...flags));
  return `To remove ${ids.length === 1 ? 'it' : 'them'}: ${commands.join('\n')}`;
}
