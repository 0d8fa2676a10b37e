// `wm webhook label`: gives a webhook a name. The service has no field for it, so it is stored on this machine.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { cannotPromptFailure } from '#cli/flags/missing-values.ts';
import { replaceError, ValidationError } from '#contract/schema.ts';
import { type Failure, joinHints, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { toReported, webhookColumns } from './columns.ts';
import { chooseOneWebhook, howToName, webhookArgument } from './matching/choose.ts';
import { describeHook, type Hook, listAll, readHook, readHookIfThere, stateOf } from './records/hook.ts';
import { changeLabel, parseLabel } from './records/label.ts';

export default command({
  changes: 'this machine',
  examples: {
    'Label a webhook': "wm webhook label IEAAAAAQJAAAAAAB 'billing sync'",
    'Label the webhook of a URL': "wm webhook label https://old.example/billing 'billing sync'",
    'Remove the label': 'wm webhook label IEAAAAAQJAAAAAAB --remove',
  },
  details: `${howToName}

The label is stored on this machine, for the account of the webhook. wm shows it wherever it names the webhook, and accepts it instead
of the id, in any letter case. A webhook has at most one label, and no two webhooks have the same.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhookArgument, label: { help: 'its new label', optional: true } },
  flags: { remove: booleanFlag('Remove the label') },
  async run({ arguments: { id, label: labelText }, flags: { remove = false } }, context) {
    if (remove && labelText !== undefined)
      throw usageError('--remove cannot be combined with a label', 'Give the label, or --remove.');
    const needsLabel = labelText === undefined && !remove;
    const missing = [...(id === undefined ? ['ID'] : []), ...(needsLabel ? ['LABEL'] : [])];
    if (missing.length > 0 && !context.canPrompt) throw cannotLabel(context, missing, id);
    const newLabel = labelText === undefined ? undefined : toLabel(labelText);
    const webhookId = await chooseOneWebhook(context, id);
    // A deleted webhook's label can be removed too, so that another webhook can have it.
    const webhook = await (remove ? readHookIfThere : readHook)(context, webhookId);
    const label = remove ? undefined : (newLabel ?? (await promptLabel(context)));
    const hook: Hook = webhook ?? { record: { id: webhookId } };
    const { record } = hook;
    const records = await context.webhookRecords();
    const before = (await records.read()).get(webhookId)?.label;
    const history = await context.history();
    const state = stateOf(hook);
    history.describe(webhookId, {
      url: record.hookUrl,
      before: omitUndefined({ ...state, label: before }),
      after: omitUndefined({ ...state, label }),
    });
    const change = async () => void (await changeLabel(context, record, label));
    if (before === label) await change();
    else await history.recordLocal('labelWebhook', [webhookId], change);
    const local = (await records.read()).get(webhookId);
    await context.report.info(describeChange(describeHook({ record, local }), before, label));
    if (webhook) await context.report.each(await toReported(context, [webhook]));
  },
});

function toLabel(text: string): string {
  return replaceError(
    ValidationError,
    () => parseLabel(text),
    ({ message }) => usageError(`The label ${message}`, 'Choose another label.'),
  );
}

function cannotLabel(context: Context, missing: readonly string[], id: string | undefined): Failure {
  const failure = cannotPromptFailure(missing, context.whyCannotPrompt);
  if (id !== undefined) return failure;
  return failure.with({ hint: joinHints([failure.wholeHint ?? '', listAll(context)]) });
}

function promptLabel(context: Context): Promise<string> {
  const validate = (text: string) => {
    try {
      parseLabel(text);
    } catch (error) {
      if (error instanceof ValidationError) return error.message;
      throw error;
    }
    return undefined;
  };
  return context.prompt('LABEL', async (prompt) => parseLabel(await prompt.text('Label:', { validate })));
}

function describeChange(name: string, before: string | undefined, label: string | undefined): string {
  if (before === label)
    return `${label === undefined ? 'No label' : 'Labelled already'}: ${name}. Nothing was changed.`;
  if (label === undefined) return `Label '${before}' removed: ${name}.`;
  return `Labelled: ${name}.${before === undefined ? '' : ` Its label was '${before}'.`}`;
}
