// Redacts secrets from everything that is printed. docs/decisions/redaction.md says what else is redacted, and where.

import type { Output, Secrets, Streams } from '#world/world.ts';
import { forwardOutput } from './forwarding-output.ts';

/** Returns the same streams with redaction. A write that must show a secret sets `showsSecrets`. */
export function redactStreams({ input, output, errors }: Streams, secrets: Secrets): Streams {
  return { input, output: redactOutput(output, secrets), errors: redactOutput(errors, secrets) };
}

function redactOutput(output: Output, secrets: Secrets): Output {
  return forwardOutput(output, {
    write: (text, options) =>
      output.write(options?.showsSecrets || options?.isRedacted ? text : secrets.redact(text), options),
  });
}
