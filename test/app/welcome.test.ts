// `wm` alone, for each way of being signed in, as text and as JSON.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { createFiles } from '#world/files.ts';
import type { Environment } from '#world/world.ts';

const host = 'api.example.com';

async function welcome(t: TestContext, variables: Environment, profile?: object) {
  const folder = await ownFolder(t);
  const environment = { WM_CONFIG_DIR: folder, ...variables };
  if (profile !== undefined) {
    const stored = { name: 'work', host, hostSuffixes: [], signedInAt: 0, ...profile };
    await mkdir(folder, { recursive: true });
    const text = JSON.stringify({ current: 'work', profiles: [stored] });
    await writeFile(join(folder, 'profiles.json'), text, { mode: 0o600 });
  }
  const world = { files: createFiles(environment, process.platform, folder) };
  const text = await run([], { environment, world });
  assert.deepEqual([text.status, text.errors], [0, '']);
  const json = await run(['--json'], { environment, world });
  assert.deepEqual([json.status, json.errors], [0, '']);
  const [first = '', ...rest] = text.output.split('\n');
  return { first, tips: rest.map((line) => line.trim()).filter(Boolean), json: JSON.parse(json.output) };
}

const nobody = { signedIn: false, by: null, profile: null, user: null, account: null, host: null };

for (const [environment, profile, first, json, tip] of [
  [
    { WM_TOKEN: 'canary-token', WM_HOST: host },
    undefined,
    `Using the token in WM_TOKEN for ${host}.`,
    { ...nobody, signedIn: true, by: 'WM_TOKEN', host },
    'wm whoami',
  ],
  [
    { WM_TOKEN: 'canary-token' },
    undefined,
    'Using the token in WM_TOKEN for an unknown host (WM_HOST is not set).',
    { ...nobody, signedIn: true, by: 'WM_TOKEN' },
    'wm whoami',
  ],
  [
    {},
    { user: 'Ada Fields', account: 'Paper Lantern Studio' },
    'Signed in as Ada Fields to Paper Lantern Studio (profile work).',
    {
      signedIn: true,
      by: 'profile',
      profile: 'work',
      user: 'Ada Fields',
      account: 'Paper Lantern Studio',
      host,
    },
    'wm task get ID',
  ],
  [
    {},
    {},
    `Signed in as an unknown user to ${host} (profile work).`,
    { ...nobody, signedIn: true, by: 'profile', profile: 'work', host },
    'wm task get ID',
  ],
  [
    {},
    undefined,
    'Not signed in.',
    { ...nobody, profile: 'default' },
    'wm demo     try it without an account',
  ],
  [
    { WM_PROFILE: 'home' },
    undefined,
    'Not signed in (profile home).',
    { ...nobody, profile: 'home' },
    'wm demo                   try it without an account',
  ],
] as const) {
  test(first, async (t) => {
    const shown = await welcome(t, environment, profile);
    assert.equal(shown.first, first);
    assert.deepEqual(shown.json, json);
    assert.equal(shown.tips[0], tip);
    assert.match(shown.tips.at(-1) ?? '', /^wm --help +see what else there is$/);
  });
}
