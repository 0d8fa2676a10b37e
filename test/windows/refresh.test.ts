// Ten processes under wine that refresh one sign-in at once, three of which are ended without notice.

import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { setWindows, testRows } from './wine.ts';

testRows(['Lock between processes'], async (test) => {
  // Each command finds a token that is about to expire.
  const windows = await setWindows(test, { emulator: { tokenSeconds: 20 } });
  const environment = { WM_TOKEN_STORE: 'file' };
  const login = windows.start(['login', '--no-browser'], { environment });
  const [address] = await login.shows(/http:\/\/\S+client_id=\S+/);
  await fetch(await answerConsent(address, { press: 'Allow' }));
  assert.equal((await login.ended).status, 0);
  const generation = async () => {
    const text = await readFile(join(windows.folder, 'config', 'tokens', 'default.json'), 'utf8');
    return JSON.parse(text).generation;
  };
  const first = await generation();

  const renewals = join(windows.folder, 'config', 'renewals');
  await mkdir(renewals, { recursive: true });
  const processes = Array.from({ length: 10 }, () => windows.start(['whoami'], { environment }));
  const killed = new Set<(typeof processes)[number]>();
  let changes = 0;
  const watcher = watch(renewals, () => {
    changes++;
    const next = processes[killed.size * 3];
    if (changes % 2 === 0 || killed.size === 3 || next === undefined) return;
    killed.add(next);
    next.kill();
  });
  const ended = await Promise.all(processes.map((one) => one.ended));
  watcher.close();
  for (const [at, ran] of ended.entries())
    if (!killed.has(processes[at] ?? assert.fail())) assert.equal(ran.status, 0, ran.errors);
  assert.equal(killed.size, 3);
  assert.ok((await generation()) > first);
  await windows.good(['whoami'], { environment });
});
