// What can be told of an update without asking the service: whether it changes anything, and whether its dates are
// right together or would destroy data. Throws usage failures; nothing has been sent then.

import type { TaskDates } from '../../contract/task.ts';
import { changesSomething, checkDates, datesHazard } from '../../contract/task-rules.ts';
import { Refused } from '../../contract/value.ts';
import { usage } from '../../failure.ts';
import { refuseContradictions } from './contradictions.ts';
import type { Said } from './to-update.ts';

export function preflight(
  { update, titles }: Pick<Said, 'update' | 'titles'>,
  clearingIsMeant: boolean,
): void {
  if (titles.length === 0 && !changesSomething(update)) {
    throw usage(
      'This update changes nothing',
      'Name at least one change, as in --status Completed. See --help.',
    );
  }
  refuseContradictions(update, titles);
  if (!update.dates) return;
  try {
    checkDates(update.dates);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { start, due } = update.dates;
    const both = start !== undefined && due !== undefined;
    throw usage(
      `dates: ${error.message}`,
      both ? 'See --help for what goes together.' : 'Give --start with --due or --duration.',
    );
  }
  refuseHazard(update.dates, clearingIsMeant);
}

function refuseHazard(dates: TaskDates, clearingIsMeant: boolean): void {
  const hazard = datesHazard(dates);
  if (hazard === 'becomes-milestone') {
    throw usage(
      `A due date alone (${dates.due}) would make a planned task a milestone`,
      `To keep it planned, give --start with --due. If a milestone is meant: --due ${dates.due} --milestone`,
      'the service drops the start and the duration then',
    );
  }
  if (hazard === 'clears-dates' && !clearingIsMeant) {
    throw usage(
      `A duration (${dates.duration} minutes) without a start would clear the dates of the task`,
      `Give the dates with it: --start DATE --due DATE --duration ${dates.duration}. If clearing is meant: --allow-clearing-dates`,
      'the service wants start and due again with every duration',
    );
  }
}
