// The folder, project or space of a new webhook, by its id or its title.

import type { Context } from '../../context.ts';
import { resolvePlace } from '../../resolve/resolve-place.ts';
import type { WebhookScope } from './create-request.ts';

/** Both by id. Sends nothing if they are ids already. Throws a usage failure for a title that no place has. */
export async function resolveScope(
  context: Context,
  { folder, space }: { readonly folder?: string; readonly space?: string },
): Promise<WebhookScope> {
  return {
    folderId: folder === undefined ? undefined : await resolvePlace(context, folder, 'folder'),
    spaceId: space === undefined ? undefined : await resolvePlace(context, space, 'space'),
  };
}
