// Prints the requests of a dry run: all of them for ids on the command line and with --json or --curl; otherwise the
// first few, since a million would bury the plan.

import { operations } from '../../../contract/operation.ts';
import type { TaskUpdate } from '../../../contract/task.ts';
import type { Context } from '../../context.ts';
import { createRequestFormatter } from '../../send.ts';
import { formatCount } from './format-quantity.ts';

const maxRequests = 10;

export interface RequestPreview {
  /** Of a row that can be sent. What it gives back is to be waited for. */
  print(row: { readonly id: string; readonly update: TaskUpdate }): Promise<void> | undefined;
  end(): Promise<void>;
}

/** `isTyped`: the ids were, so that there are no more than somebody asked to see. */
export async function createRequestPreview(context: Context, isTyped: boolean): Promise<RequestPreview> {
  const { common, report } = context;
  const all = isTyped || report.wantsJson || common.curl === true;
  const text = await createRequestFormatter(context);
  let requests = 0;
  return {
    print({ id, update }) {
      requests++;
      return all || requests <= maxRequests
        ? report.line(text(operations.updateTask, { taskId: id }, update))
        : undefined;
    },
    async end() {
      if (all || requests <= maxRequests) return;
      await report.info(`and ${formatCount(requests - maxRequests)} more requests; --json shows every one`);
    },
  };
}
