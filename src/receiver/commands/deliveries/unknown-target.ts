// What is missing where nobody has written down where deliveries go.

import { type Failure, usageError } from '#failure.ts';

export function unknownTarget(why: string): Failure {
  return usageError(
    'Missing: where to send the deliveries',
    'Give --forward-to URL, --route EVENT=URL or --exec COMMAND.',
    why,
  );
}
