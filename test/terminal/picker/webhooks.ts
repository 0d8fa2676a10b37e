// Webhooks in the emulator of a stage, made over HTTP: as many as a list has to be good for.

import type { TestContext } from 'node:test';
import { call, query } from '#test/support/service/start-emulator.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import type { Terminal } from '#test/support/terminal/terminal.ts';

export interface HookStage {
  readonly stage: Stage;
  /** By the number in their URL, from 1. */
  readonly ids: readonly string[];
  statusOf(id: string): Promise<string>;
  /** Those that are suspended now. */
  suspended(): Promise<readonly string[]>;
}

export const hookUrl = (number: number) => `https://hooks.example.com/team${number}`;

/** The URL of the highlighted row, once it is that. */
export const highlights = (terminal: Pick<Terminal, 'screenShows'>, number: number) =>
  terminal.screenShows(new RegExp(`^❯ (?:\\[.\\] )?${hookUrl(number)}(?!\\d)`, 'm'));

/** `https://hooks.example.com/team1` and on; none of them is signed, so that nothing is asked of the host. */
export async function withTeams(context: TestContext, count: number): Promise<HookStage> {
  const stage = await setStage(context);
  const { emulator } = stage;
  const ids = [''];
  for (let number = 1; number <= count; number++) {
    const { body } = await call(emulator, 'POST', `/webhooks?${query({ hookUrl: hookUrl(number) })}`);
    ids.push(body.data[0].id);
  }
  const list = async (): Promise<{ id: string; status: string }[]> =>
    (await call(emulator, 'GET', '/webhooks')).body.data;
  return {
    stage,
    ids,
    statusOf: async (id) => (await call(emulator, 'GET', `/webhooks/${id}`)).body.data[0].status,
    suspended: async () => (await list()).filter(({ status }) => status === 'Suspended').map(({ id }) => id),
  };
}
