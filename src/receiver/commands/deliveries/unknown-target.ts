// Creates the failure for a command that needs a target although none is recorded.

import { type Failure, usageError } from '#failure.ts';

export function unknownTarget(why: string): Failure {
  return usageError(
    'Missing: where to send the deliveries',
    'Give --forward-to URL, --route EVENT=URL or --exec COMMAND.',
    why,
  );
}
