// The requests of a bulk that is only shown: of ids on the command line, and with --json and --curl, every one; otherwise
// the first few, since a million would bury the plan.

import { operations } from '../../../contract/operation.ts';
import type { TaskUpdate } from '../../../contract/task.ts';
import type { Context } from '../../context.ts';
import { createRequestFormatter } from '../../send.ts';
import { count } from './count.ts';

const few = 10;

export interface RequestsShown {
  /** Of a row that can be sent. What it gives back is to be waited for. */
  show(row: { readonly id: string; readonly update: TaskUpdate }): Promise<void> | undefined;
  end(): Promise<void>;
}

/** `isTyped`: the ids were, so that there are no more than somebody asked to see. */
export async function requestsShown(context: Context, isTyped: boolean): Promise<RequestsShown> {
  const { common, report } = context;
  const all = isTyped || report.wantsJson || common.curl === true;
  const text = await createRequestFormatter(context);
  let requests = 0;
  return {
    show({ id, update }) {
      requests++;
      return all || requests <= few
        ? report.line(text(operations.updateTask, { taskId: id }, update))
        : undefined;
    },
    async end() {
      if (all || requests <= few) return;
      await report.info(`and ${count(requests - few)} more requests; --json shows every one`);
    },
  };
}
