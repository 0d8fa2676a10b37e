// Creates a task unless its folder has one of the same title, although `wm` may run several times at once: a lock keeps out the other
// runs on this machine, and a second look finds what another machine created meanwhile.

import type { Context } from '#cli/context.ts';
import type { ApiResponse } from '#client/response.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { type Task, taskOperations } from '#contract/task.ts';
import { toFailure } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { FieldOnRequest } from '../display/columns.ts';
import { withTaskLock } from '../undo-log/write-log.ts';

/** The created task or the existing one. `key`: the folder and the title. Deletes nothing: users may have meant both. */
export async function createUnlessExists(
  context: Context,
  key: string,
  fields: readonly FieldOnRequest[] | undefined,
  find: () => Promise<readonly Task[]>,
  create: () => Promise<ApiResponse<Task>>,
): Promise<ApiResponse<Task>> {
  const { report, world } = context;
  const session = await context.session();
  const warnIfSeveral = async (tasks: readonly Task[]) => {
    const links = tasks.map(({ id, permalink }) => permalink ?? id);
    if (tasks.length > 1)
      await report.warn(`The folder has ${tasks.length} tasks of this title: ${joinWithAnd(links)}`);
  };
  return withTaskLock(world, await accountHost(context), key, 'creating a task', async () => {
    const existing = await find();
    const [oldest] = existing;
    if (oldest) {
      await report.info(`Task ${oldest.id} already exists; nothing was created.`);
      await warnIfSeveral(existing);
      return session.send(taskOperations.getTasks, { taskIds: [oldest.id] }, omitUndefined({ fields }));
    }
    const created = await create();
    const isOther = ({ id }: Task) => created.records.every((task) => task.id !== id);
    await find().then(
      (found) => warnIfSeveral([...created.records, ...found.filter(isOther)]),
      (error: unknown) =>
        report.warn(
          `Cannot check whether another task of this title was created too: ${toFailure(error).sentence}`,
        ),
    );
    return created;
  });
}
