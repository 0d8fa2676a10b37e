// `wm webhook diagnose`: explains why a webhook is suspended, as far as this machine can tell.

import { resolve } from 'node:path';
import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { formatConfirmedCommand } from '#cli/format-command.ts';
import { assertNewFile } from '#cli/new-file.ts';
import { formatJson } from '#contract/json.ts';
import { failWith } from '#failure.ts';
import { diagnose, toDiagnosisJson } from './diagnosis/diagnosis.ts';
import { factColumns, findLikelyCause, inFull, showFacts } from './diagnosis/facts.ts';
import { chooseOneWebhook, webhookArgument } from './matching/choose.ts';
import { findSecret, secretFlags } from './secrets/find-secret.ts';
import { sampledEventsFlag } from './verification/sample-delivery.ts';
import { verifyFlags } from './verification/verify-flags.ts';

export default command({
  changes: 'a receiver',
  mayOnlyRead: true,
  examples: {
    'Find out why a webhook is suspended': 'wm webhook diagnose IEAAAAAQJAAAAAAB',
    'Write all evidence to a file, for a ticket':
      'wm webhook diagnose IEAAAAAQJAAAAAAB --bundle diagnosis.json',
  },
  details: `The service gives no reason for a suspension. wm prints the evidence: the record of the service, the other webhooks of its URL,
what this machine recorded (since when, a note), what wm changed from this machine, and the checks of wm webhook verify, which
--read-only leaves out. The most likely cause comes last on a terminal, and first in a pipe.

--bundle writes all of it as JSON, without the secrets that wm knows and the query of each URL, but with its path.`,
  pipeColumns: factColumns,
  arguments: { webhook: webhookArgument },
  flags: {
    bundle: textFlag('FILE', 'Also write all evidence to this file, as JSON'),
    events: sampledEventsFlag,
    ...secretFlags,
    ...verifyFlags,
  },
  async run({ arguments: { webhook }, flags }, context) {
    const { bundle } = flags;
    if (bundle !== undefined) await assertNewFile(context, '--bundle', bundle);
    const id = await chooseOneWebhook(context, webhook, { argument: 'WEBHOOK' });
    const question = 'Secret of the webhook (Enter if it has none):';
    const secret = await findSecret(context, { flags, webhookId: id, question, orNone: true });
    const diagnosis = await diagnose(context, id, secret?.text, flags);
    const resume = formatConfirmedCommand(context, 'webhook resume', [id]);
    const cause = findLikelyCause(diagnosis, inFull, resume);
    const json = { ...cause, ...toDiagnosisJson(diagnosis) };
    if (bundle !== undefined) {
      const at = new Date(context.world.clock.now()).toISOString();
      await writeBundle(context, bundle, { at, ...json });
    }
    if (context.report.wantsJson) await context.report.asMessages().json(json);
    else await showFacts(context, diagnosis, resume);
    if (bundle !== undefined) await context.report.info(`Written to ${bundle}`);
  },
});

/** Redacts the secrets that wm knows, and the query and the credentials of URLs: others will read the file. */
async function writeBundle({ world }: Context, path: string, bundle: object): Promise<void> {
  const text = redactUrls(formatJson(bundle, { indent: 2, change: world.secrets.redact }));
  const file = resolve(world.files.currentFolder, path);
  const fails = failWith('usage', `--bundle: cannot write ${path}`);
  await world.files.write(file, `${text}\n`, { mode: 0o600 }).catch(fails);
}

/** In JSON text: a URL ends before a space, a quote or a backslash. */
export function redactUrls(json: string): string {
  return json
    .replace(/(https?:\/\/)[^\s"\\/?#@]*@/gi, '$1[redacted]@')
    .replace(
      /(https?:\/\/[^\s"\\?#]*)(\?[^\s"\\#]*)?(#[^\s"\\]*)?/gi,
      (_, address: string, query?: string, fragment?: string) =>
        `${address}${query ? '?[redacted]' : ''}${fragment ? '#[redacted]' : ''}`,
    );
}
