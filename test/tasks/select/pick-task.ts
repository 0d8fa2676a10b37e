// What the tests of picking a task on a terminal share.

import assert from 'node:assert/strict';
import { sample } from '#emulator/state/sample-ids.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import type { Stage } from '#test/support/terminal/stage.ts';

export const environment = { NO_COLOR: '1' };

export async function update({ emulator }: Stage, id: string, parameters: Readonly<Record<string, string>>) {
  const { status } = await call(emulator, 'PUT', `/tasks/${id}?${query(parameters)}`);
  assert.equal(status, 200);
}

export async function taskOf({ emulator }: Stage, id: string) {
  return (await call(emulator, 'GET', `/tasks/${id}`)).body.data[0];
}

/** What the list of a picker shows. */
export const listed = (screen: readonly string[]) =>
  screen.filter((line) => /^[❯ ] \S.* updated /.test(line)).map((line) => line.slice(2).split('  ')[0]);

/** The sample has some tasks of the user's. */
export async function unassignAda(stage: Stage, ...ids: readonly string[]) {
  for (const id of ids) await update(stage, id, { removeResponsibles: JSON.stringify([sample.ada]) });
}
