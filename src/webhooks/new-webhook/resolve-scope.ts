// Resolves the folder, project or space of a new webhook from its id or title.

import type { Context } from '#cli/context.ts';
import { resolvePlace } from '#cli/resolve/resolve-place.ts';
import type { WebhookCreate } from '#contract/webhook-create.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { WebhookScope } from '../coverage.ts';

export type NewWebhook = WebhookCreate & WebhookScope & { readonly hookUrl: string };

/** Returns ids; sends nothing if the values are ids already. Throws a usage failure for an unknown title. */
export async function resolveScope(
  context: Context,
  { folder, space }: { readonly folder?: string; readonly space?: string },
): Promise<WebhookScope> {
  return omitUndefined({
    folderId: folder === undefined ? undefined : await resolvePlace(context, folder, 'folder'),
    spaceId: space === undefined ? undefined : await resolvePlace(context, space, 'space'),
  });
}

export function assertOneScope(flags: { folder?: string; space?: string; recursive?: boolean }): void {
  const { folder, space, recursive } = flags;
  if (folder !== undefined && space !== undefined) {
    throw usageError(
      '--folder and --space cannot be combined',
      'A webhook belongs to one folder, one space or the account.',
    );
  }
  if (recursive !== undefined && (folder ?? space) === undefined) {
    throw usageError('--recursive needs --folder or --space', 'A webhook of the account covers everything.');
  }
}
