// `wm webhook verify`: checks whether a receiver would accept deliveries, and says what would suspend the webhook.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import type { EventName } from '#contract/event.ts';
import { isLoopback } from '#contract/hook-url.ts';
import { Failure } from '#failure.ts';
import { chooseOneWebhook, webhookArgument } from './matching/choose.ts';
import { readHook } from './records/hook.ts';
import { findSecret, type SecretFlags, secretFlags } from './secrets/find-secret.ts';
import { findRunningReceiver } from './secrets/running-receiver.ts';
import { checkColumns, shownCheckColumns, withoutRepeats } from './verification/check-result.ts';
import { sampledEventsFlag } from './verification/sample-delivery.ts';
import { toTarget, type VerifyTarget, verifyFlags } from './verification/verify-flags.ts';
import { verifyReceiver } from './verification/verify-receiver.ts';

export default command({
  changes: 'a receiver',
  examples: {
    'Check the receiver of a webhook': 'wm webhook verify IEAAAAAQJAAAAAAB',
    'Check a receiver before you create its webhook':
      'wm webhook verify https://hooks.example.com/billing --events TaskStatusChanged,TaskCreated',
    'Check a receiver on this machine':
      'wm webhook verify http://hooks.example.com/billing --connect-to 127.0.0.1:8080',
  },
  details: `Checks the URL, its addresses, the connection, the certificate and redirects. Then it sends what the service would send:
a handshake, a signed sample of each event that the webhook delivers, some deliveries that receivers often reject, such as a
duplicate or one with an unknown field, and forgeries, which a receiver should reject. A request that gets a 5xx is sent again,
twice: a receiver that fails now and then is named as such. The ids in the samples do not exist, but a receiver may act on
them nevertheless. If the webhook's events are unknown, wm sends samples of 6 kinds that represent the others;
--events all sends one of every kind.

With the secret of the webhook, everything is signed. If an account on this machine (the emulator) is selected, the URL may be
on this machine too. How long the service waits for a response is not known; --within sets what counts as too slow. That it
retries after a late response, a redirect or another 2xx than 200, 201, 202 and 204 is an assumption.

The exit status is 10 if a check fails.`,
  pipeColumns: checkColumns,
  arguments: {
    webhook: {
      ...webhookArgument,
      help: 'a URL, or the id or label of a webhook, or a part of its label or URL',
    },
  },
  flags: { events: sampledEventsFlag, ...secretFlags, ...verifyFlags },
  async run({ arguments: { webhook }, flags }, context) {
    const target = await findTarget(context, webhook, flags);
    const host = flags.connectTo?.host ?? (URL.canParse(target.url) ? new URL(target.url).hostname : '');
    if (host !== '' && !isLoopback(host))
      await context.report.info(`Samples reach the program behind ${target.url}, which may act on them.`);
    const results = await verifyReceiver(context, target, flags);
    const isShown = context.world.streams.output.isTerminal;
    const columns = isShown ? shownCheckColumns : checkColumns;
    const records = isShown ? withoutRepeats(results) : results;
    await context.report.asMessages().list({ columns, records, raw: results });
    const bad = results.filter(({ outcome }) => outcome === 'fail');
    if (bad.length === 0) return;
    throw new Failure('check_failed', {
      message: `${bad.length} of ${results.length} checks failed: ${bad.map(({ check }) => check).join(', ')}`,
      // The table is just above.
      ...(isShown && !context.report.wantsJson ? {} : { why: bad[0]?.why, hint: bad[0]?.fix }),
    });
  },
});

async function findTarget(
  context: Context,
  text: string | undefined,
  flags: SecretFlags & { readonly events?: readonly EventName[] },
): Promise<VerifyTarget> {
  const question = 'Secret of the webhook (Enter if it has none):';
  if (text !== undefined && /^https?:\/\//i.test(text)) {
    const receiver = URL.canParse(text) ? await findRunningReceiver(context.world, text) : undefined;
    const secret = await findSecret(context, { flags, receiver, question, orNone: true });
    return { url: text, secret: secret?.text, events: flags.events };
  }
  const id = await chooseOneWebhook(context, text, { argument: 'WEBHOOK' });
  const read = await readHook(context, id);
  await (await context.webhookRecords()).observe([read]);
  const asked = read.local?.created?.signed === false ? {} : { question };
  const secret = await findSecret(context, { flags, webhookId: id, ...asked, orNone: true });
  return toTarget(read, secret?.text, flags.events);
}
