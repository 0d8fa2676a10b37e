// Undoes an update, one wm at a time for each task: what the log and the task say stays true until the requests are sent and
// logged. Nobody is asked in that time; after an answer both are read again.

import { formatTimestamp } from '../../../contract/date.ts';
import type { Task } from '../../../contract/task.ts';
import { type Failure, usage } from '../../../failure.ts';
import { commandWith } from '../../command-line.ts';
import type { Context } from '../../context.ts';
import { and } from '../../missing.ts';
import { alone } from './alone.ts';
import { type Conflict, type Undoing, undoing } from './inverse.ts';
import { lastLogged } from './last-logged.ts';
import type { LastUpdate } from './last-update.ts';
import { showUndoing } from './preview.ts';
import { readTask } from './read.ts';
import { hostOf } from './recorded.ts';
import { sendUndoing } from './send-undoing.ts';
import { settle } from './settle.ts';

/** What a person has to be asked about. */
interface Open {
  readonly last: LastUpdate;
  readonly now: Task;
  readonly planned: Undoing;
}

/**
 * `chosen`: the last update as the log had it before this wm waited for another. Throws a usage failure if it is no longer
 * the last and there is no prompt: undoing another wm's undo would restore the update.
 */
export async function undoLast(context: Context, chosen: LastUpdate, overwrites: boolean): Promise<void> {
  const { task } = chosen;
  const host = await hostOf(context);
  const session = await context.session();
  let expected = chosen;
  /** What a person has agreed to. */
  let agreed: string | undefined;
  const tryOnce = async (): Promise<Open | undefined> => {
    const last = await lastLogged(context, task);
    if (last.place !== expected.place) {
      const what = meanwhile(task, last);
      if (agreed === undefined)
        throw usage(
          what,
          `Nothing was sent. See how the task is now: ${commandWith(context, 'task get', [task])}`,
        );
      await context.report.warn(what);
      expected = last;
      agreed = undefined;
    }
    const now = await readTask(session, task);
    const planned = undoing(last, now);
    if (agreed !== undefined && agreed !== asText(planned))
      await context.report.warn('The task was changed while you were asked.');
    if (last.unsettled.length > 0 && planned.requests.length === 0) {
      await settle(context, last, now);
      return undefined;
    }
    if (agreed !== asText(planned)) {
      if (planned.requests.length > 0 && isAsked(context, planned, overwrites)) return { last, now, planned };
      await showUndoing(context, last, planned, now);
      if (planned.requests.length === 0) throw nothingToUndo(last, planned);
      await confirm(context, last, planned, overwrites);
    }
    await sendUndoing(context, last, now, planned);
    return undefined;
  };
  for (;;) {
    const open = await alone(context.world, host, task, 'undoing an update', tryOnce);
    if (!open) return;
    await showUndoing(context, open.last, open.planned, open.now);
    await confirm(context, open.last, open.planned, overwrites);
    agreed = asText(open.planned);
  }
}

function meanwhile(task: string, last: LastUpdate): string {
  return last.isUndo
    ? `The last update of ${task} was undone meanwhile by another wm`
    : `${task} was updated meanwhile by another wm`;
}

function asText({ requests, conflicts }: Undoing): string {
  return JSON.stringify([requests, conflicts]);
}

/** True where {@link confirm} prompts. */
function isAsked({ mayAsk, common }: Context, { conflicts }: Undoing, overwrites: boolean): boolean {
  return mayAsk && (!common.yes || (conflicts.length > 0 && !overwrites));
}

export function nothingToUndo({ task, at }: LastUpdate, { cannot }: Undoing): Failure {
  return cannot.length > 0
    ? usage(
        `Nothing of the last update of ${task} can be undone`,
        undefined,
        `It was made ${formatTimestamp(at)}.`,
      )
    : usage(
        `Nothing to undo: ${task} is as it was before its last update`,
        undefined,
        `That was made ${formatTimestamp(at)}.`,
      );
}

/** --yes says yes to the undoing, and --overwrite to the loss of another's change. */
async function confirm(
  context: Context,
  { task }: LastUpdate,
  { conflicts }: Undoing,
  overwrites: boolean,
): Promise<void> {
  const names = and(conflicts.map(({ name }) => name));
  const isCertain = conflicts.every(({ ours }) => ours !== undefined);
  const isContested = conflicts.length > 0 && !overwrites;
  if (isContested) {
    if (!context.mayAsk)
      throw usage(
        `Not undone: ${changesOf(task, conflicts)}`,
        'Nothing was sent. To overwrite that, add --overwrite.',
        conflicts
          .map(({ name, ours, now }) => `${name}: ${ours ?? 'unknown'} after your update, ${now} now`)
          .join('; '),
      );
    const yes = await context.ask('--overwrite', (prompt) =>
      prompt.confirm(
        `Overwrite what ${isCertain ? 'somebody else has changed' : "may be somebody else's"} (${names})?`,
      ),
    );
    if (!yes) throw usage('Not confirmed, so nothing was undone');
  }
  await context.confirm(`Undo the last update of ${task}?`);
}

/** What is not known to be ours is not said to be another's. */
function changesOf(task: string, conflicts: readonly Conflict[]): string {
  const namesOf = (isKnown: boolean) =>
    and(conflicts.filter(({ ours }) => (ours !== undefined) === isKnown).map(({ name }) => name));
  const [theirs, unknown] = [namesOf(true), namesOf(false)];
  return [
    ...(theirs === '' ? [] : [`somebody else has changed ${theirs} of ${task} since`]),
    ...(unknown === '' ? [] : [`it cannot be told whether ${task} has ${unknown} from your update`]),
  ].join(', and ');
}
