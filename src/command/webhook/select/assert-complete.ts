// Stops if the service lists only a part of the webhooks: a file of them all would then miss some, and a missing one would be
// created again.

import type { ApiResponse } from '../../../client/response.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import { Failure, type Hint } from '../../../failure.ts';

export const whyIncomplete = 'the service returned it in pages, which its contract does not document';

/** `purpose`: what cannot be done with a part of them. */
export function assertComplete({ nextPageToken }: ApiResponse<Webhook>, purpose?: string, hint?: Hint): void {
  if (nextPageToken === undefined) return;
  throw new Failure('bad_response', {
    message: `The list of webhooks is not complete${purpose === undefined ? '' : `, so wm cannot ${purpose}`}`,
    why: whyIncomplete,
    hint,
  });
}
