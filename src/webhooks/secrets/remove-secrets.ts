// Removes the stored secrets of deleted webhooks. The deletion is done by then, so a failure is only a warning, which names
// the secrets that remain.

import type { Context } from '#cli/context.ts';
import { type FormatContext, formatCommandWith } from '#cli/format-command.ts';
import { openSecretPlace, type SecretPlace, unlessStoreFails } from './secret-place.ts';

type Needs = Pick<Context, 'world' | 'account' | 'report'> & FormatContext;

/** Prints one warning for all secrets that may remain. */
export async function removeStoredSecrets(context: Needs, ids: readonly string[]): Promise<void> {
  const left = [...ids];
  await withPlaces(context, ids, left, async ({ store, owner }) => {
    if (await store.has(owner)) await store.remove(owner);
    left.shift();
  });
}

/** Warns that a secret is still stored: the webhook may still exist. */
export async function reportKeptSecrets(context: Needs, ids: readonly string[]): Promise<void> {
  await withPlaces(context, ids, ids, async ({ store, owner }) => {
    if (!(await store.has(owner))) return;
    await context.report.warn(
      `Its secret stays in ${store.locationOf(owner)}. ${howToRemove(context, [owner.webhookId])}`,
    );
  });
}

async function withPlaces(
  context: Needs,
  [first, ...more]: readonly string[],
  left: readonly string[],
  use: (place: SecretPlace) => Promise<void>,
): Promise<void> {
  if (first === undefined) return;
  let place: SecretPlace | undefined;
  await unlessStoreFails(
    context,
    async () => {
      const { store, owner } = await openSecretPlace(context, first);
      for (const webhookId of [first, ...more]) {
        place = { store, owner: { ...owner, webhookId } };
        await use(place);
      }
    },
    (sentence) => {
      const what =
        left.length === 1 ? `A secret of webhook ${left[0]}` : `Secrets of ${left.length} deleted webhooks`;
      const where = place ? ` in ${place.store.locationOf(place.owner)}` : '';
      return `${what} may still be stored${where}: ${sentence}\n${howToRemove(context, left)}`;
    },
  );
}

function howToRemove(context: FormatContext, ids: readonly string[]): string {
  const flags = ['--remove', ...(context.common.yes ? ['--yes'] : [])];
  const commands = ids.map((id) => formatCommandWith(context, 'webhook secret', [id], ...flags));
  return `To remove ${ids.length === 1 ? 'it' : 'them'}: ${commands.join('\n')}`;
}
