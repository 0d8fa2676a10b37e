// A service that shows less of a task than the emulator, or something else: a test alters the tasks in responses on their way.

import { aroundHttp } from '#test/support/service/around-http.ts';
import type { Http } from '#world/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test may show anything as a task
export type ShownTask = Record<string, any>;

export interface Exchange {
  readonly method: string;
  /** How many updates were sent, with this request. */
  readonly updates: number;
}

/** `alter`: the task to show in place of this one; undefined leaves it out. */
export function alteringTasks(alter: (task: ShownTask, exchange: Exchange) => ShownTask | undefined): Http {
  let sent = 0;
  return aroundHttp(async ({ method, url }, pass) => {
    if (method === 'PUT') sent++;
    const updates = sent;
    const response = await pass();
    if (!new URL(url).pathname.includes('/tasks/') || 'fault' in response) return response;
    const body = JSON.parse(Buffer.from(response.body).toString());
    const data = body.data?.flatMap((task: ShownTask) => alter(task, { method, updates }) ?? []);
    return { ...response, body: Buffer.from(JSON.stringify({ ...body, data })) };
  });
}

/** The task without some members. */
export function without(task: ShownTask, ...names: readonly string[]): ShownTask {
  return Object.fromEntries(Object.entries(task).filter(([name]) => !names.includes(name)));
}
