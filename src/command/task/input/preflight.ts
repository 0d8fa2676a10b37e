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
  'start-without-plan': `A milestone has only a due date (--due DATE --milestone); a backlog task has no dates. ${planHint}, without --milestone or --backlog.`,
  'due-in-backlog': `A backlog task has no dates: leave out --due. ${planHint}, without --backlog.`,
  'duration-of-milestone': `A milestone has only a due date: leave out --duration. ${planHint}, without --milestone.`,
  'due-before-start': 'Swap the two, or give a --due on or after the start.',
  'no-duration': 'Give --due with --start, or a --duration of at least 1 minute.',
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
      'Give at least one change, such as --status Completed. See --help.',
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
      `Add the dates: --start DATE --due DATE --duration ${dates.duration}. To clear them: --allow-clearing-dates`,
      'the service needs start and due with every duration',
    );
  }
}

const dropsReason = 'the service would drop its start and duration';

/** `why`: where there is more to say. */
export function dueDateAloneError({ due }: TaskDates, why = dropsReason): Failure {
  return usageError(
    `A due date alone (${due}) would turn a planned task into a milestone`,
    `To keep it planned, give --start with --due. To make it a milestone: --due ${due} --milestone`,
    why,
  );
}
