// `wm webhook undo`: puts back what the last command from this machine changed, from the history. Reads each webhook first, and says what
// others have changed since.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { foundRecords, readByIds } from '#cli/read-by-ids.ts';
import { printIfDryRun } from '#cli/send.ts';
import { type WebhookStatus, webhookOperations } from '#contract/webhook.ts';
import { usageError } from '#failure.ts';
import type { WebhookChange, WebhookState } from '#local-records/history/history-log.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { changeEach } from './change/change-each.ts';
import { setStatus } from './change/change-status.ts';
import { confirmTargets } from './change/confirm.ts';
import { type LastCommand, readCommands } from './change/last-command.ts';
import { toListed, webhookColumns } from './columns.ts';
import { nameIds } from './matching/other-webhooks.ts';
import { groupBy, type Hook, hookSubject, stateOf } from './records/hook.ts';
import { changeLabel } from './records/label.ts';

/** What helps after another command. IDS: the webhooks; URL: the one of the first of them. */
const instead: Readonly<Record<string, string>> = {
  'webhook create': 'To delete what it created: wm webhook delete IDS',
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
    const findCommand = await readCommands(context);
    const last = findCommand();
    if (!last) throw usageError('Nothing to undo: no command from this machine has changed a webhook');
    const undoneCommand =
      last.undoes === undefined ? undefined : findCommand(({ begun }) => begun.webhook?.run === last.undoes);
    const unfinished = undoneCommand && findUnfinished(undoneCommand, last);
    const { changes } = unfinished ?? last;
    assertUndoable(last, changes);
    const requests = [...changes].flatMap(([webhookId, { before, after }]) => {
      const status = toStatus(before?.status);
      return status && status !== after?.status ? [{ path: { webhookId }, parameters: { status } }] : [];
    });
    if (context.isDryRun) await showRecordChanges(context, changes);
    if (await printIfDryRun(context, webhookOperations.updateWebhook, requests)) return;
    const { target, steps, undone } = await confirmPlan(context, overwrite, () =>
      readPlan(context, last, undoneCommand),
    );
    await recordUndone(context, last, undone);
    if (steps.length === 0) return;
    const run = target === last ? undefined : last.run;
    const byHook = new Map(steps.map((step) => [step.hook, step]));
    await changeEach<Hook>(context, [...byHook.keys()], {
      words: { to: 'as before', verb: 'undo', done: 'undone' },
      confirm: async () => ({ added: [] }),
      needsRecords: () => steps.some(({ hook, to }) => hook.record.status === to),
      async run(hook, context) {
        const { to, after } = byHook.get(hook) ?? {};
        if (!to || !after) return hook;
        // First, since only this machine's record can refuse it.
        if (after.label !== hook.local?.label) await changeLabel(context, hook.record, after.label);
        const restored = { after, ...omitUndefined({ undoes: target.run, run }) };
        return setStatus(context, hook, { to, restored });
      },
      show: async (hooks) => context.report.each(await toListed(context, hooks)),
    });
  },
});

/** What no request shows: notes and labels. */
async function showRecordChanges({ report }: Context, changes: LastCommand['changes']): Promise<void> {
  for (const [id, { before = {}, after = {} }] of changes) {
    const parts = (['note', 'label'] as const)
      .map((name) => ({ name, before: show(before, name), now: show(after, name) }))
      .filter((part) => part.before !== part.now);
    if (parts.length > 0) await report.info(`On this machine, ${id}: ${parts.map(formatPart).join('; ')}.`);
  }
}

function assertUndoable(last: LastCommand, changes: LastCommand['changes']): void {
  const { command, name, isUncertain } = last;
  const problem = isUncertain
    ? 'Cannot undo: the last line of the history is damaged, so the last command is unknown'
    : changes.size === 0 && `Nothing to undo: ${name}, the last command, changed nothing`;
  if (problem) throw usageError(problem, 'To see the changes: wm history --command webhook');
  if (undoable.includes(command) && [...changes.values()].every(({ after }) => after)) return;
  throw usageError(
    `Cannot undo ${name}, the last command that changed webhooks`,
    (instead[command] ?? 'To see what it changed: wm history ID')
      .replace('IDS', [...changes.keys()].join(' '))
      .replace('URL', [...changes.values()][0]?.url ?? 'URL'),
  );
}

/** What is left of the command whose undo, the last one, did not end. The rest of the undo belongs to the same run. */
function findUnfinished(
  undone: LastCommand,
  last: LastCommand,
  hooks: ReadonlyMap<string, Hook> = new Map(),
) {
  const left = [...undone.changes].filter(([id, change]) => {
    const hook = hooks.get(id);
    return !last.changes.get(id)?.isDone || (hook !== undefined && isUnsaved(change, stateOf(hook)));
  });
  return left.length > 0 ? { ...undone, changes: new Map(left) } : undefined;
}

/** Its status was put back, but not its note or its label: these are saved at the end of an undo, which may have been killed before. */
function isUnsaved({ before = {}, after = {} }: Partial<WebhookChange>, now: WebhookState): boolean {
  if (before.status !== now.status) return false;
  return (['note', 'label'] as const).some((name) => {
    const [old, left, present] = [before, after, now].map((state) => show(state, name));
    return old !== left && present === left;
  });
}

/** Otherwise the next undo would take them for changes that are still unknown, and could not redo them. */
async function recordUndone(context: Context, { changes }: LastCommand, undone: readonly string[]) {
  const history = await context.history();
  for (const id of undone) {
    const { isDone: _, ...change } = changes.get(id) ?? { isDone: true };
    history.describe(id, change);
    await history.recordLocal('recordWebhook', [id]);
  }
}

type Steps = ReturnType<typeof planUndo>['steps'];

/** Plans the last command only if nothing is left of an undo that did not end. Names the webhooks that are left alone. */
async function readPlan(context: Context, last: LastCommand, undone?: LastCommand) {
  const ids = [...(undone ?? last).changes.keys(), ...last.changes.keys()];
  const read = await readByIds(context, webhookOperations.getWebhooks, 'webhookIds', ids, {});
  if (!read || read.endedBy) throw read?.endedBy ?? new Error('Nothing was read');
  const local = await (await context.webhookRecords()).read();
  const hooks = new Map(
    foundRecords(read.reads).map((hook) => [hook.record.id, { ...hook, local: local.get(hook.record.id) }]),
  );
  const unfinished = undone && findUnfinished(undone, last, hooks);
  const rest = unfinished && planUndo(unfinished, hooks, last.changes);
  const isLeft = rest?.steps.some(({ parts, contested }) => contested.length < parts.length);
  const plan = rest && (isLeft || rest.undone.length > 0) ? rest : planUndo(last, hooks);
  for (const [why, left] of groupBy(plan.leftAlone, (webhook) => webhook.why))
    await context.report.warnOnce(`${why}, so left alone: ${nameIds(left.map(({ id }) => id))}`);
  return plan;
}

/** `sent`: the changes of an undo of it, whose outcome is unknown. The ones that took effect are `undone`. */
function planUndo(
  target: LastCommand,
  hooks: ReadonlyMap<string, Hook>,
  sent: LastCommand['changes'] = new Map(),
) {
  const leftAlone: { readonly id: string; readonly why: string }[] = [];
  const undone: string[] = [];
  const steps = [...target.changes].flatMap(([id, { before = {}, after = {}, isDone }]) => {
    const found = hooks.get(id);
    const { at, restored: restoredAt = at } = { ...(found && stateOf(found).note) };
    // An older note was not set since: it is of an earlier suspension, and the command ended before it recorded its own.
    const isOlder = restoredAt !== undefined && Date.parse(restoredAt) < Date.parse(target.began);
    const hook = found && isOlder ? withNote(found, before.note) : found;
    const now = hook ? stateOf(hook) : {};
    // Others have ended the suspension that only got a note: nothing is left to explain.
    const isEnded = now.status === 'Active' && before.status === after.status;
    const parts = (isEnded ? (['label'] as const) : (['status', 'note', 'label'] as const))
      .map((name) => ({ name, before: show(before, name), after: show(after, name), now: show(now, name) }))
      .filter((part) => part.before !== part.after && part.before !== part.now);
    const contested = parts.filter((part) => part.now !== part.after);
    const restored = { ...now, ...Object.fromEntries(parts.map(({ name }) => [name, before[name]])) };
    const to = toStatus(restored.status);
    if (hook && to && parts.length > 0) return { hook, to, after: omitUndefined(restored), parts, contested };
    if (hook && to && sent.has(id)) {
      undone.push(id);
      return [];
    }
    const since = isEnded ? 'Resumed since by others' : 'Changed back since by others';
    const problem = to ? isDone && since : 'Its status before that is unknown';
    const why = hook ? problem : 'Not found';
    if (why) leftAlone.push({ id, why });
    return [];
  });
  return { target, steps, undone, leftAlone };
}

function withNote({ local = {}, ...hook }: Hook, note: WebhookState['note']): Hook {
  return { ...hook, local: omitUndefined({ ...local, note }) };
}

function show(state: WebhookState, name: keyof WebhookState): string {
  return (name === 'note' ? state.note?.text : state[name]) ?? 'none';
}

const toStatus = (text: string | undefined): WebhookStatus | undefined =>
  text === 'Active' || text === 'Suspended' ? text : undefined;

/** Prompts again if something changed while the user was deciding. */
async function confirmPlan(context: Context, overwrite: boolean, read: () => ReturnType<typeof readPlan>) {
  const textOf = (steps: Steps) => JSON.stringify(steps.map(({ hook, parts }) => [hook.record.id, parts]));
  for (let plan = await read(); ; ) {
    const { target, steps: all, undone } = plan;
    const steps = await withoutConflicts(context, all, overwrite);
    if (undone.length > 0)
      await context.report.info(`Had already been undone, so nothing is sent: ${nameIds(undone)}`);
    if (steps.length === 0 && undone.length > 0) return plan;
    if (steps.length === 0) throw usageError(`Nothing to undo: nothing is as ${target.name} left it`);
    const partsOf = (hook: Hook) => steps.find((step) => step.hook === hook)?.parts ?? [];
    const detailOf = (hook: Hook) => `${partsOf(hook).map(formatPart).join('; ')}.`;
    const hooks = steps.map(({ hook }) => hook);
    await confirmTargets(context, { verb: `undo ${target.name} for`, hooks, detailOf });
    if (!context.canPrompt) return { target, steps, undone };
    plan = await read();
    if (textOf(plan.steps) === textOf(all)) return { target, steps, undone };
    await context.report.warn('The webhooks changed while you were deciding.');
  }
}

function formatPart({ name, now, before }: Omit<Steps[number]['parts'][number], 'after'>): string {
  return `${name === 'status' ? '' : `${name}: `}${now} -> ${before}`;
}

/** Leaves out what has changed since, unless the user wants to overwrite it. */
async function withoutConflicts(context: Context, steps: Steps, overwrite: boolean): Promise<Steps> {
  const contested = steps.filter((step) => step.contested.length > 0);
  for (const { hook, contested: parts } of contested)
    for (const { name, after, now } of parts)
      await context.report.warn(
        `${hookSubject(hook)}: its ${name} has changed since your command, which set it to: ${after}. It is now: ${now}.`,
      );
  if (contested.length === 0 || overwrite) return steps;
  const names = nameIds(contested.map(({ hook }) => hook.record.id));
  const hint = 'Nothing was changed. To overwrite that, add --overwrite.';
  if (!context.canPrompt) throw usageError(`Not undone: others have changed ${names} since`, hint);
  const question = `Overwrite what others have changed since (${names})?`;
  const yes = await context.prompt('--overwrite', (prompt) => prompt.confirm(question));
  return yes ? steps : steps.filter((step) => !contested.includes(step));
}
