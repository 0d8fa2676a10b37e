// Everything that is done on a disk that fails, with what each needs: one emulator, one service and one folder for all runs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Extent, everyCall } from '#test/support/disk/every-call.ts';
import type { FaultySystem } from '#test/support/disk/faulty-system.ts';
import { emulated } from '#test/support/program/emulated.ts';
import type { AuthService } from '#test/support/service/auth-service.ts';
import type { Service } from '#test/support/service/rotating-service.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';
import { type Stage, stageForAll } from '../renewal/stage.ts';
import { refreshing, signingIn } from './signing.ts';
import { persisting, undoing, updatingMany } from './updating.ts';

export type Scenario = (faulty: FaultySystem) => Promise<string>;

export interface Parties {
  readonly service: Service;
  readonly stage: Stage;
  readonly auth: AuthService;
}

export const scenes: Readonly<
  Record<string, (context: TestContext, parties: Parties) => Scenario | Promise<Scenario>>
> = {
  'a refresh':
    (_, { service, stage }) =>
    (faulty) =>
      refreshing(service, stage, faulty),
  'a first sign-in':
    (_, { auth }) =>
    (faulty) =>
      signingIn(auth, false, faulty),
  'a sign-in over an earlier one':
    (_, { auth }) =>
    (faulty) =>
      signingIn(auth, true, faulty),
  'a bulk run': async (context) => {
    const service = await emulated(context);
    const ids = await tasksOf(service, 6);
    return (faulty) => updatingMany(service, ids, faulty);
  },
  'an update and its undo': async (context) => {
    const service = await emulated(context);
    const [id = ''] = await tasksOf(service, 1);
    return (faulty) => undoing(service, id, faulty);
  },
  'an emulator’s data file': async (context) => {
    const { folder } = await emulated(context);
    return (faulty) => persisting(folder, faulty);
  },
};

async function tasksOf(
  { control }: Pick<Awaited<ReturnType<typeof emulated>>, 'control'>,
  count: number,
): Promise<readonly string[]> {
  const made = await control('tasks', { count });
  if (typeof made !== 'object' || made === null || !('taskIds' in made) || !Array.isArray(made.taskIds))
    throw new Error('no tasks were made');
  return made.taskIds.map(String);
}

/** `struck`: in more runs than these a call really failed. */
export async function testScenes(extent: Extent, struck: number): Promise<void> {
  const { service, stage } = await stageForAll();
  const auth = await serviceForAll();
  for (const [name, scene] of Object.entries(scenes)) {
    test(`${name} on a failing disk: nothing is lost, and every message is true`, async (context) => {
      const scenario = await scene(context, { service, stage, auth });
      const counts = await everyCall(scenario, extent);
      context.diagnostic(JSON.stringify(counts));
      assert.deepEqual(counts.violations, []);
      assert.ok(counts.struck > struck, JSON.stringify(counts));
    });
  }
}
