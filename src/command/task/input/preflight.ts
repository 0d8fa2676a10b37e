// What can be told of an update without asking the service: whether it changes anything, and whether its dates are
// right together or would destroy data. Throws usage failures; nothing has been sent then.

import type { TaskDates } from '../../../contract/task.ts';
import {
  type DatesRule,
  DatesValidationError,
  datesHazard,
  hasChanges,
  validateDates,
} from '../../../contract/task-rules.ts';
import { type Failure, usageError } from '../../../failure.ts';
import { assertNoContradictions } from './contradictions.ts';
import type { UnresolvedUpdate } from './unresolved-update.ts';

const planHint = 'For a planned task, give --start with --due or --duration';

/** What to write in the place of dates that cannot stand together: each is valid as it reads. */
const hints: Readonly<Record<DatesRule, string>> = {
  'start-alone': 'Give --start with --due or --duration.',
  'start-without-plan': `A milestone has a due date alone (--due DATE --milestone), a backlog task no dates. ${planHint}, and neither --milestone nor --backlog.`,
  'due-in-backlog': `A backlog task has no dates: leave out --due. ${planHint}, and no --backlog.`,
  'duration-of-milestone': `A milestone has a due date alone: leave out --duration. ${planHint}, and no --milestone.`,
  'due-before-start': 'Exchange the two, or give a --due on the day of the start or after it.',
  'no-duration': 'Give a --due with the --start, or a --duration of 1 minute or more.',
};

/** `dueAlone`: of a due date alone, what the task is decides, and due-alone.ts looks; otherwise it is refused. */
export function preflight(
  update: UnresolvedUpdate,
  mayClearDates: boolean,
  dueDateAlone?: 'checked later',
): void {
  if (!hasChanges(update)) {
    throw usageError(
      'This update changes nothing',
      'Name at least one change, as in --status Completed. See --help.',
    );
  }
  assertNoContradictions(update);
  if (!update.dates) return;
  try {
    validateDates(update.dates);
  } catch (error) {
    if (!(error instanceof DatesValidationError)) throw error;
    throw usageError(`dates: ${error.message}`, hints[error.brokenRule]);
  }
  const { dates } = update;
  const hazard = datesHazard(dates);
  if (hazard === 'becomes-milestone' && dueDateAlone === undefined) throw dueDateAloneError(dates);
  if (hazard === 'clears-dates' && !mayClearDates) {
    throw usageError(
      `A duration (${dates.duration} minutes) without a start would clear the dates of the task`,
      `Give the dates with it: --start DATE --due DATE --duration ${dates.duration}. If clearing is meant: --allow-clearing-dates`,
      'the service wants start and due again with every duration',
    );
  }
}

const dropsReason = 'the service drops the start and the duration then';

/** `why`: where there is more to say. */
export function dueDateAloneError({ due }: TaskDates, why = dropsReason): Failure {
  return usageError(
    `A due date alone (${due}) would make a planned task a milestone`,
    `To keep it planned, give --start with --due. If a milestone is meant: --due ${due} --milestone`,
    why,
  );
}
