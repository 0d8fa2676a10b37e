// Resolves the folder, project or space of a new webhook from its id or title.

import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { resolvePlace } from '#cli/resolve/resolve-place.ts';
import { type WebhookCreate, webhookCreateParameters } from '#contract/webhook-create.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { WebhookScope } from '../coverage.ts';

const { recursive } = webhookCreateParameters;

export const scopeFlags = {
  folder: textFlag('ID', 'Limit the webhook to this folder or project: its id or title', 'place'),
  space: textFlag('ID', 'Limit the webhook to this space: its id or title', 'place'),
  recursive: booleanFlag(`${recursive.meaning}; with --folder or --space`, { negatable: true }),
};

type ScopeFlags = ParsedFlags<typeof scopeFlags>;

export type NewWebhook = WebhookCreate & WebhookScope & { readonly hookUrl: string };

/** Returns ids; sends nothing if the values are ids already. Throws a usage failure for an unknown title. */
export async function resolveScope(
  context: Context,
  { folder, space }: Pick<ScopeFlags, 'folder' | 'space'>,
): Promise<WebhookScope> {
  return omitUndefined({
    folderId: folder === undefined ? undefined : await resolvePlace(context, folder, 'folder'),
    spaceId: space === undefined ? undefined : await resolvePlace(context, space, 'space'),
  });
}

export function assertOneScope({ folder, space, recursive }: ScopeFlags): void {
  if (folder !== undefined && space !== undefined)
    throw usageError(
      '--folder and --space cannot be combined',
      'A webhook belongs to one folder, one space or the account.',
    );
  if (recursive !== undefined && (folder ?? space) === undefined)
    throw usageError('--recursive needs --folder or --space', 'A webhook of the account covers everything.');
}
