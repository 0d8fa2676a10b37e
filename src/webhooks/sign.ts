// `wm webhook sign [FILE]`: prints the signature of a body, as the service would send it in X-Hook-Signature.

import { command } from '#cli/command.ts';
import { sign } from '#contract/signature.ts';
import { bodyArgument, readSignedInput, signingFlags } from './signature/read-body.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Sign a body': 'printf "[]" | WM_WEBHOOK_SECRET=fictional-secret wm webhook sign',
    'Send it to a receiver with curl':
      'curl -H "X-Hook-Signature: $(wm webhook sign body.json --webhook IEAAAAAQJAAAAAAB)" --data-binary @body.json https://example.com/hook',
    'Compute the response to a handshake':
      'printf %s "$CHALLENGE" | wm webhook sign --secret-file secret.txt',
  },
  details: `Prints the HMAC-SHA256 of the bytes, 64 hexadecimal digits. The body is signed byte for byte: a line break at its end
counts.

The secret comes from --secret-file, --secret-stdin (then the body needs a FILE) or WM_WEBHOOK_SECRET; with --webhook it is the
stored one (wm webhook secret). Otherwise, on a terminal, wm asks for it.`,
  arguments: { file: bodyArgument },
  flags: signingFlags,
  async run({ arguments: { file }, flags }, context) {
    const { secret, body } = await readSignedInput(context, file, flags);
    const signature = sign(secret.text, body);
    if (context.report.wantsJson) await context.report.json({ signature });
    else await context.report.line(signature);
  },
});
