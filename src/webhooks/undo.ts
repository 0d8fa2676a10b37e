// `wm webhook undo`: puts back what the last command from this machine changed, from the history. Reads each webhook first, and says what
// others have changed since.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import type { WebhookState } from '#cli/history/history-log.ts';
import { foundRecords, readByIds } from '#cli/read-by-ids.ts';
import { printAllIfDryRun } from '#cli/send.ts';
import { type WebhookStatus, webhookOperations } from '#contract/webhook.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { changeEach } from './change/change-each.ts';
import { setStatus } from './change/change-status.ts';
import { confirmTargets } from './change/confirm.ts';
import { type LastCommand, readLastCommand } from './change/last-command.ts';
import { toListed, webhookColumns } from './columns.ts';
import { nameIds } from './matching/other-webhooks.ts';
import { type Hook, hookSubject, stateOf, toHooks } from './records/hook.ts';
import { changeLabel } from './records/label.ts';

/** What helps after another command. ID: the webhooks; URL: the one of the first of them. */
const instead: Readonly<Record<string, string>> = {
  'webhook create': 'To delete what it created: wm webhook delete ID',
  'webhook delete': 'The service cannot restore it. To create another: wm webhook create URL',
  'webhook apply': 'Apply the file as it was before that: wm webhook apply FILE',
  'webhook rotate-secret': 'To give up a rotation that is under way: wm webhook rotate-secret ID --abort',
};
const undoable = ['suspend', 'resume', 'label', 'undo', 'watch'].map((verb) => `webhook ${verb}`);

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Undo the last command that changed webhooks': 'wm webhook undo',
    'In a script, without a prompt': 'wm webhook undo --yes',
    'Show the requests without sending them': 'wm webhook undo --dry-run',
  },
  details: `Undo puts back the status, the note and the label of each webhook that the last suspend, resume, label, watch or undo from this
machine changed, also after Ctrl-C. The previous values come from the history (wm history). An undo can be undone; an undo that was
interrupted is continued. What create, delete, apply and rotate-secret did cannot be undone.

Undo reads each webhook first. If something else has changed since, it says so and asks; if it cannot prompt, it changes nothing
and exits with status 2 unless you add --overwrite; --yes does not overwrite. With --dry-run it reads nothing, and assumes that
nothing has changed since.`,
  pipeColumns: webhookColumns,
  flags: { overwrite: booleanFlag('Overwrite what has changed since the command') },
  async run({ flags: { overwrite = false } }, context) {
    const last = await readLastCommand(context);
    if (!last) throw usageError('Nothing to undo: no command from this machine has changed a webhook');
    const { command: words, time, changes } = last;
    if (!undoable.includes(words) || [...changes.values()].some(({ after }) => !after))
      throw usageError(
        `Cannot undo wm ${words} of ${time}, the last command that changed webhooks`,
        (instead[words] ?? 'To see what it changed: wm history ID')
          .replace('ID', [...changes.keys()].join(' '))
          .replace('URL', [...changes.values()][0]?.url ?? 'URL'),
      );
    const requests = [...changes].flatMap(([webhookId, { before, after }]) => {
      const status = toStatus(before?.status);
      return status && status !== after?.status ? [{ path: { webhookId }, parameters: { status } }] : [];
    });
    if (await printAllIfDryRun(context, webhookOperations.updateWebhook, requests)) return;
    const { target, plan } = await chooseTarget(context, last);
    const steps = await withoutConflicts(context, plan, overwrite);
    if (steps.size === 0) throw usageError(`Nothing to undo: nothing is as wm ${words} of ${time} left it`);
    const verb = `undo wm ${target.command} of ${target.time} for`;
    const detailOf = (hook: Hook) => `${steps.get(hook)?.parts.map(formatPart).join('; ')}.`;
    await changeEach<Hook>(context, [...steps.keys()], {
      words: { to: 'as before', verb: 'undo', done: 'undone' },
      confirm: async (hooks) => ({ added: await confirmTargets(context, { verb, hooks, detailOf }) }),
      async run(hook) {
        const { to, after } = steps.get(hook) ?? {};
        if (!to || !after) return hook;
        const restored = { after, ...omitUndefined({ undoes: target.run, run: target.continuedBy }) };
        const changed = await setStatus(context, hook, { to, restored });
        if (after.label !== hook.local?.label) await changeLabel(context, changed.record, after.label);
        return changed;
      },
      show: async (hooks) => context.report.each(await toListed(context, hooks)),
    });
  },
});

/** An undo that was interrupted is continued, in its own run. Otherwise the last command is the target, an undo too. */
async function chooseTarget(context: Context, last: LastCommand) {
  const undone = last.undoes && (await readLastCommand(context, ({ run }) => run === last.undoes));
  if (undone) {
    const left = [...undone.changes].filter(([id]) => !last.changes.get(id)?.isDone);
    const target = { ...undone, changes: new Map(left), continuedBy: last.run };
    const plan = await readPlan(context, target);
    if ([...plan.values()].some(({ parts }) => parts.some(isAsLeft))) return { target, plan };
  }
  return { target: { ...last, continuedBy: undefined }, plan: await readPlan(context, last) };
}

type Plan = Awaited<ReturnType<typeof readPlan>>;
interface Part extends Readonly<Record<'before' | 'after' | 'now', string>> {
  readonly name: keyof WebhookState;
}

/** By webhook: the parts that differ from before, and its state after the undo. Names the webhooks that are left alone. */
async function readPlan(context: Context, { changes }: LastCommand) {
  const ids = [...changes.keys()];
  const read = await readByIds(context, webhookOperations.getWebhooks, 'webhookIds', ids, {});
  if (!read || read.endedBy) throw read?.endedBy ?? new Error('Nothing was read');
  const found = foundRecords(read.reads);
  const records = found.map(({ record }) => record);
  const plan = new Map<Hook, { to: WebhookStatus; after: WebhookState; parts: readonly Part[] }>();
  const changedBack: string[] = [];
  for (const hook of await toHooks(context, { records, raw: found.map(({ raw }) => raw) })) {
    const { before = {}, after = {}, isDone } = changes.get(hook.record.id) ?? {};
    const now = stateOf(hook);
    const show = (state: WebhookState, name: keyof WebhookState) =>
      name === 'note' ? (state.note?.text ?? 'none') : (state[name] ?? 'none');
    const changed = (['status', 'note', 'label'] as const)
      .map((name) => ({ name, before: show(before, name), after: show(after, name), now: show(now, name) }))
      .filter((part) => part.before !== part.after);
    const parts = changed.filter((part) => part.before !== part.now);
    const pick = <N extends keyof WebhookState>(name: N) =>
      (parts.some((part) => part.name === name) ? before : now)[name];
    const to = toStatus(pick('status'));
    const target = omitUndefined({ status: to, label: pick('label'), note: pick('note') });
    if (parts.length > 0 && to) plan.set(hook, { to, after: target, parts });
    else if (isDone && changed.length > 0) changedBack.push(hook.record.id);
  }
  const missing = ids.filter((id) => !records.some((record) => record.id === id));
  if (changedBack.length > 0)
    await context.report.warnOnce(`Changed back since by others, so left alone: ${nameIds(changedBack)}`);
  if (missing.length > 0) await context.report.warnOnce(`Not found, so left alone: ${nameIds(missing)}`);
  return plan;
}

function isAsLeft({ now, after }: Part): boolean {
  return now === after;
}

function formatPart({ name, now, before }: Part): string {
  return `${name === 'status' ? '' : `${name}: `}${now} -> ${before}`;
}

function toStatus(text: string | undefined): WebhookStatus | undefined {
  return text === 'Active' || text === 'Suspended' ? text : undefined;
}

/** Leaves out what has changed since, unless the user wants to overwrite it. */
async function withoutConflicts(context: Context, plan: Plan, overwrite: boolean): Promise<Plan> {
  const contested = [...plan].filter(([, { parts }]) => !parts.every(isAsLeft));
  for (const [hook, { parts }] of contested)
    for (const { name, after, now } of parts.filter((part) => !isAsLeft(part)))
      await context.report.warn(
        `${hookSubject(hook)}: its ${name} has changed since your command, which set it to: ${after}. It is now: ${now}.`,
      );
  if (contested.length === 0 || overwrite) return plan;
  const names = nameIds(contested.map(([{ record }]) => record.id));
  const hint = 'Nothing was changed. To overwrite that, add --overwrite.';
  if (!context.canPrompt) throw usageError(`Not undone: others have changed ${names} since`, hint);
  const question = `Overwrite what others have changed since (${names})?`;
  const yes = await context.prompt('--overwrite', (prompt) => prompt.confirm(question));
  return yes ? plan : new Map([...plan].filter(([, { parts }]) => parts.every(isAsLeft)));
}
