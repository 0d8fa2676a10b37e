// `wm webhook apply` on a disk without room, and once there is room again.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Counts, type Extent, everyCall } from '#test/support/disk/every-call.ts';
import type { FaultySystem } from '#test/support/disk/faulty-system.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { fileOf, withFile } from './with-file.ts';

const folder = 'scope: {folder: IEAAAAAQI4AB5FLD}';
const inFolder = (name: string, event: string, status: string) =>
  [
    `url: http://hooks.example.com/${name}`,
    folder,
    `events: [${event}]`,
    `status: ${status}`,
    `label: ${name}`,
  ].join('\n');

const parametersOf = (name: string) => ({
  hookUrl: `http://hooks.example.com/${name}`,
  events: ['TaskCreated'],
});

/** One webhook to create, one to replace, one to suspend, and a machine without records each time. */
export async function scene(context: TestContext) {
  const service = await withFile(context);
  const { emulator, environment } = service;
  const file = await service.write(
    fileOf(
      inFolder('new', 'TaskCreated', 'Active'),
      inFolder('replaced', 'TaskDeleted', 'Active'),
      inFolder('suspended', 'TaskCreated', 'Suspended'),
    ),
  );
  let runs = 0;
  return {
    async reset(): Promise<string> {
      await service.control('reset');
      for (const name of ['replaced', 'suspended'])
        await call(emulator, 'POST', `/folders/IEAAAAAQI4AB5FLD/webhooks?${query(parametersOf(name))}`);
      runs++;
      return join(service.folder, `config-${runs}`);
    },
    async state(): Promise<readonly string[]> {
      const { body } = await call(emulator, 'GET', '/webhooks');
      const all: readonly { hookUrl: string; status: string; events: string[] }[] = body.data;
      return all
        .map(({ hookUrl, status, events }) => `${hookUrl.replace(/.*\//, '')} ${status} ${events}`)
        .toSorted();
    },
    apply(config: string, { system }: Pick<FaultySystem, 'system'>) {
      const own = { ...environment, WM_CONFIG_DIR: config };
      const files = createFiles(own, process.platform, service.folder, undefined, system);
      const lock = createLock(process.platform, undefined, system);
      return service.wm(['webhook', 'apply', file, '--yes'], {
        environment: { WM_CONFIG_DIR: config },
        world: { files, lock },
      });
    },
  };
}

export const expected = [
  'new Active TaskCreated',
  'replaced Active TaskDeleted',
  'suspended Suspended TaskCreated',
];

/** The changes are made all the same, and none is repeated once there is room. */
export async function applyWithoutRoom(context: TestContext, extent: Extent): Promise<Counts> {
  const { reset, state, apply } = await scene(context);
  return await everyCall(async (faulty) => {
    const config = await reset();
    const ran = await apply(config, faulty);
    assert.equal(ran.status, 0, ran.errors);
    assert.doesNotMatch(ran.errors, /bug in wm/);
    assert.deepEqual(await state(), expected);
    const isTold = /^Cannot record .*$/m.test(ran.errors);
    faulty.mend();
    const again = await apply(config, faulty);
    assert.equal(again.status, 0, again.errors);
    assert.match(again.errors, /Nothing differs from the file/);
    assert.deepEqual(await state(), expected);
    return isTold ? 'warned' : 'silent';
  }, extent);
}
