// A command that only reads writes nothing on this machine, except the cache for completion, and the status of a webhook that it
// sees for the first time or that has changed.

import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { invocationSetting } from './every-command.ts';
import { type Invocation, invocations, placeholder } from './invocations.ts';
import { filled, setPlace } from './place.ts';

/** They may change something; called like this, they do not. */
const onlyReading: Readonly<Record<string, Invocation>> = {
  api: { arguments: ['GET', 'account'] },
  doctor: { arguments: [] },
  'webhook diagnose': { arguments: [placeholder.webhook] },
  'webhook verify': { arguments: [placeholder.webhook, '--within', '1'], status: 10 },
  'webhook watch': { arguments: ['--once'] },
};

/** Each file by its path, with what a write would change. */
async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files
        .map((path) => ({ path, name: relative(folder, path) }))
        .filter(({ name }) => !/^config\/state\/completion\//.test(name))
        .map(async ({ path, name }) => {
          const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
          return [name, `${ino} ${size} ${mtimeNs} ${ctimeNs}`] as const;
        }),
    ),
  );
}

async function setUp(context: TestContext, words: string, invocation: Invocation) {
  const place = await setPlace(context, invocation);
  const argv = [...words.split(' '), ...filled(place, invocation.arguments)];
  const { world, ...setting } = invocationSetting(place, invocation);
  const minute = 60_000;
  return {
    place,
    async runAt(minutes: number) {
      const clock = clockAt(Date.now() + minutes * minute);
      const ran = await run(argv, { ...setting, world: { ...world, clock } });
      const isWrongClock = words === 'doctor' && minutes > 0;
      assert.equal(ran.status, isWrongClock ? 10 : (invocation.status ?? 0), ran.errors);
      return filesBelow(place.folder);
    },
  };
}

for (const { words, load } of commands) {
  const { changes } = (await load()).default;
  const invocation = onlyReading[words] ?? (changes === 'nothing' ? invocations[words] : undefined);
  if (invocation === undefined || invocation.notRun !== undefined || invocation.isInterrupted) continue;
  test(`wm ${words}`, async (context) => {
    const { place, runAt } = await setUp(context, words, invocation);
    const before = await filesBelow(place.folder);
    const first = await runAt(0);
    const isOfWebhooks = (name: string) => /^config\/state\/webhooks\/[^/]+\.json(?:\.lock)?$/.test(name);
    for (const [name, version] of first)
      if (!isOfWebhooks(name)) assert.equal(version, before.get(name), name);
    assert.deepEqual(await runAt(10), first);
  });
}

test('writes a status that has changed', async (context) => {
  const { place, runAt } = await setUp(context, 'webhook list', { arguments: [] });
  const first = await runAt(0);
  const id = place.values[placeholder.webhook];
  await call(place.emulator, 'PUT', `/webhooks/${id}?${query({ status: 'Suspended' })}`);
  const second = await runAt(10);
  assert.notDeepEqual(second, first);
  assert.deepEqual(await runAt(20), second);
});
