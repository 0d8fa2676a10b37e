// Files under wine, by Windows' rules for names and for files that are open.

import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sample } from '#emulator/state/sample-ids.ts';
import { type Running, setWindows, testRows, type Windows } from './wine.ts';

/** Another program that has the file open until it is killed. */
async function hold({ node }: Windows, path: string): Promise<Running> {
  const open =
    "fs.openSync(process.argv[1], 'r'); console.log('open'); require('net').createServer().listen(0)";
  const reader = node(['-e', open, path]);
  await reader.shows(/open/);
  return reader;
}

testRows(
  ['Replacing a file that is open', 'Syncing a file', 'Syncing a folder', 'Who can read the token file'],
  async (test) => {
    const windows = await setWindows(test);
    const { host, token } = windows.emulator;
    const environment = { WM_TOKEN_STORE: 'file' };
    const login = ['login', '--with-token', '--host', host];
    const first = await windows.good(login, { environment, input: token });
    assert.match(first.errors, /default\.json, readable by everyone who may read that folder/);
    const path = windows.path('config', 'tokens', 'default.json');
    const reader = await hold(windows, path);
    const refused = await windows.wm(login, { environment, input: token });
    assert.equal(refused.status, 1, refused.errors);
    assert.ok(refused.errors.includes(path), refused.errors);
    assert.match(refused.errors, /EPERM|EBUSY/);
    const trying = windows.wm(login, { environment, input: token });
    reader.kill();
    assert.equal((await trying).status, 0);
  },
);

testRows(
  ['Removing a file that is open', 'Names that are devices (CON, NUL)', 'Characters in file names'],
  async (test) => {
    const windows = await setWindows(test);
    const { host, token } = windows.emulator;
    const environment = { WM_TOKEN_STORE: 'file' };
    for (const profile of ['con', 'NUL.json', 'a:b', 'a*b']) {
      const ran = await windows.wm(['login', '--with-token', '--host', host, '--profile', profile], {
        environment,
        input: token,
      });
      assert.equal(ran.status, 2, ran.errors);
    }
    await windows.good(['login', '--with-token', '--host', host], { environment, input: token });
    const path = windows.path('config', 'tokens', 'default.json');
    const reader = await hold(windows, path);
    await windows.good(['logout', '--yes'], { environment });
    reader.kill();
    await reader.ended;
    await windows.good(['login', '--with-token', '--host', host], { environment, input: token });
  },
);

testRows(['Two names for `--journal` and `--errors`'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  await windows.put('two.csv', `id,title\n${sample.task},A\n${sample.backlog},B\n`);
  const bulk = ['task', 'update', '--from', 'two.csv', '--journal', 'journal.ndjson', '--yes'];
  const same = await windows.wm([...bulk, '--errors', 'JOURNAL.ndjson']);
  assert.equal(same.status, 2, same.errors);
  await windows.control('faults', { request: 'updateTask', status: 404, error: 'resource_not_found' });
  await windows.wm([...bulk, '--concurrency', '1']);
  const journal = join(windows.folder, 'journal.ndjson');
  // As a killed process leaves it.
  await appendFile(journal, '{"row":2,"outc');
  const resumed = await windows.good([...bulk, '--resume']);
  assert.match(resumed.errors, /2 of 2 rows/);
  for (const line of (await readFile(journal, 'utf8')).trimEnd().split('\n')) JSON.parse(line);
});

testRows(['Text from PowerShell 5 (UTF-16)'], async (test) => {
  const windows = await setWindows(test);
  const { host, token } = windows.emulator;
  const login = ['login', '--with-token', '--host', host, '--store', 'file'];
  await windows.good(login, { input: Buffer.from(`\ufeff${token}\r\n`, 'utf16le') });
  await windows.put('tasks.csv', Buffer.from(`\ufeffid,title\r\n${sample.task},A\r\n`, 'utf16le'));
  const ran = await windows.wm(['task', 'update', '--from', 'tasks.csv', '--yes']);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /UTF-16/);
});
