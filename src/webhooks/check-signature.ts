// `wm webhook check-signature SIGNATURE [FILE]`: checks the signature of a body, for receivers that are shell scripts.

import { command } from '#cli/command.ts';
import { verify } from '#contract/signature.ts';
import { Failure } from '#failure.ts';
import { explainMismatch } from './signature/explain-mismatch.ts';
import { bodyArgument, readSignedInput, signingFlags } from './signature/read-body.ts';

export default command({
  changes: 'nothing',
  examples: {
    'In a receiver that is a shell script':
      'wm webhook check-signature "$HTTP_X_HOOK_SIGNATURE" body.json --secret-file secret.txt --quiet || exit 1',
    'With the secret that is stored for a webhook':
      'wm webhook check-signature "$SIGNATURE" body.json --webhook IEAAAAAQJAAAAAAB',
  },
  details: `Exits with status 0 if the signature is that of the body, and with 10 if it is not: then wm tries the usual changes to a body
on its way (a line break at its end, JSON that was encoded again) and says which would explain it. The comparison takes constant
time.

The body is the request's, byte for byte. The secret has the same sources as in \`wm webhook sign\`.`,
  arguments: { signature: { help: 'the value of the header X-Hook-Signature' }, file: bodyArgument },
  flags: signingFlags,
  async run({ arguments: { signature, file }, flags }, context) {
    const { secret, body } = await readSignedInput(context, file, flags);
    if (!verify(secret.text, body, signature)) {
      const { why, hint } = explainMismatch(secret.text, body, signature);
      throw new Failure('check_failed', {
        message: `The signature is not that of this body with the secret from ${secret.source}`,
        why,
        hint,
      });
    }
    if (context.report.wantsJson) await context.report.json({ valid: true });
    else await context.report.info('The signature is valid.');
  },
});
