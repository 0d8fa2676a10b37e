// A terminal, and webhooks in its emulator that this machine has not recorded, for the tests of questions.

import type { TestContext } from 'node:test';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';

/** One webhook at https://hooks.example.com/ for each name. */
export async function onStage(context: TestContext, ...names: readonly string[]) {
  const stage = await setStage(context);
  const urls = names.map((name) => `https://hooks.example.com/${name}`);
  const ids: string[] = [];
  for (const hookUrl of urls)
    ids.push((await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id);
  return {
    stage,
    ids,
    urls,
    /** As prompts and results name them. */
    shown: urls.map((url, index) => `${url} (${ids[index]})`),
    open: (line: string, setting: Parameters<typeof openInProcess>[3] = {}) =>
      openInProcess(context, stage, line, { columns: 200, ...setting }),
    /** Of all webhooks, as the service lists them. */
    async statuses(): Promise<readonly string[]> {
      const { body } = await call(stage.emulator, 'GET', '/webhooks');
      return body.data.map(({ status }: { readonly status: string }) => status);
    },
    /** As another user does it. */
    setStatus: (id: string | undefined, status: 'Active' | 'Suspended') =>
      call(stage.emulator, 'PUT', `/webhooks/${id}?status=${status}`),
  };
}
