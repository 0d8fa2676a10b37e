// Stops if the service lists only a part of the webhooks: a file of them all would then miss some, and a missing one would be
// created again.

import type { ApiResponse } from '../../../client/response.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import { Failure } from '../../../failure.ts';

/** `purpose`: what cannot be done with a part of them. */
export function assertComplete({ nextPageToken }: ApiResponse<Webhook>, purpose: string): void {
  if (nextPageToken === undefined) return;
  throw new Failure('bad_response', {
    message: `The list of webhooks is not complete, so wm cannot ${purpose}`,
    why: 'the service returned it in pages, which its contract does not document',
  });
}
