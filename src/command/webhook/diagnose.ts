// `wm webhook diagnose`: why a webhook is suspended, as far as anyone can tell.

import type { Webhook } from '../../contract/webhook.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { textFlag } from '../flag.ts';
import { formatCommandWith } from '../format-command.ts';
import { historyColumns } from '../history/history-columns.ts';
import { assertBundleFree, writeBundle } from './diagnose/bundle.ts';
import { type Diagnosis, diagnose, toDiagnosisJson } from './diagnose/diagnosis.ts';
import { findLikelyCause, type LikelyCause } from './diagnose/likely-cause.ts';
import { formatSince } from './local/observe.ts';
import { findSecret, secretFlags } from './secret/find-secret.ts';
import { statusOf } from './select/read-webhook.ts';
import { selectOneWebhook } from './select/select-one.ts';
import { toVerifyOptions, verifyFlags } from './verify/verify-flags.ts';

/** One fact. */
interface Fact {
  readonly about: string;
  readonly found: string;
  readonly next?: string | undefined;
}

const columns: readonly Column<Fact>[] = [
  { title: 'about', cell: ({ about }) => about },
  { title: 'found', cell: ({ found }) => found },
  { title: 'next', cell: ({ next }) => next ?? '' },
];

export default command({
  examples: [
    { description: 'Find out why a webhook is suspended', command: 'wm webhook diagnose IEAAAAAQJAAAAAAB' },
    {
      description: 'Write everything that is known to a file, for a ticket',
      command: 'wm webhook diagnose IEAAAAAQJAAAAAAB --bundle diagnosis.json',
    },
  ],
  details: `The service gives no reason for a suspension. wm names the most likely cause first, then what it is based on: the record of the
service, what this machine recorded (since when, a note), what wm changed from this machine, and the checks of wm webhook verify.

--bundle writes all of it as JSON. Secrets that wm knows are redacted there, and the query of each URL, but not its path.`,
  pipeColumns: columns,
  arguments: { webhook: { help: 'the id, label or URL of a webhook, or a part of its URL' } },
  flags: {
    bundle: textFlag('FILE', 'Also write all that is known to this file, as JSON'),
    ...secretFlags,
    ...verifyFlags,
  },
  async run({ arguments: { webhook }, flags }, context) {
    const { bundle } = flags;
    if (bundle !== undefined) await assertBundleFree(context, bundle);
    const id = await selectOneWebhook(context, webhook);
    const question = 'Secret of the webhook (Enter if it has none):';
    const secret = await findSecret(context, { flags, webhookId: id, question });
    const options = toVerifyOptions(flags);
    const diagnosis = await diagnose(context, id, { secret: secret?.text, options });
    const resume = formatCommandWith(context, 'webhook resume', [id]);
    const cause = findLikelyCause(diagnosis, context.world.clock.now(), resume);
    const json = { ...cause, ...toDiagnosisJson(diagnosis) };
    if (bundle !== undefined) {
      const at = new Date(context.world.clock.now()).toISOString();
      await writeBundle(context, bundle, { at, ...json });
    }
    if (context.report.wantsJson) await context.report.json(json);
    else await context.report.list({ columns, records: toFacts(context, diagnosis, cause), raw: [] });
    if (bundle !== undefined) await context.report.info(`Written to ${bundle}`);
  },
});

/** In the order in which a person would check. */
function toFacts({ world }: Context, diagnosis: Diagnosis, { cause, next }: LikelyCause): readonly Fact[] {
  const { webhook, local, history, checks } = diagnosis;
  const status = statusOf(webhook);
  const since = formatSince(local?.observed, status, world.clock.now());
  const note = local?.note;
  return [
    { about: 'likely cause', found: cause, next },
    { about: 'record', found: describeRecord(webhook.record, status) },
    { about: 'since', found: since || 'not known: wm has not seen the change' },
    ...(note ? [{ about: 'note', found: `${note.text} (${note.by}, ${note.at})` }] : []),
    ...history.map((entry) => ({
      about: 'history',
      found: ['time', 'command', 'outcome', 'code', 'note']
        .flatMap((title) => historyColumns.find((column) => column.title === title)?.cell(entry) || [])
        .join(' '),
    })),
    ...(history.length === 0 ? [{ about: 'history', found: 'wm changed nothing from this machine' }] : []),
    ...checks.map(({ check, outcome, why, fix }) => ({
      about: check,
      found: why === undefined ? outcome : `${outcome}: ${why}`,
      next: fix,
    })),
  ];
}

function describeRecord({ hookUrl }: Webhook, status: string | undefined): string {
  return `${status ?? 'no status'}, ${hookUrl ?? 'no URL'}`;
}
