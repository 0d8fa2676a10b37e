// A console of Windows, as wine's conhost shows it on a pseudo-terminal: prompts, pickers, Ctrl-C.

import assert from 'node:assert/strict';
import { sample } from '#emulator/state/sample-ids.ts';
import { openTerminal } from '#test/support/terminal/terminal.ts';
import { setWindows, testRows, untilSent } from './wine.ts';

testRows(['Console, code page, ConPTY'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  const title = 'Größe, 日本, „so“ – 5 €';
  await windows.good(['task', 'update', sample.task, '--title', title]);
  const shown = openTerminal(test, windows, windows.terminalLine(['task', 'get', sample.task]));
  await shown.screenShows(title);
  assert.equal(await shown.ended, 0);

  for (const name of ['billing', 'invoices'])
    await windows.good([
      'webhook',
      'create',
      `https://old.example/${name}`,
      '--events',
      'all',
      '--no-verify',
    ]);
  const terminal = openTerminal(test, windows, windows.terminalLine(['webhook', 'suspend', 'bill']));
  await terminal.screenShows('Suspend https://old.example/billing', 'y\r');
  // Wine's console counts the characters of escape sequences, so it breaks lines early.
  await terminal.screenShows(/read back\s+from the s\s*ervice/);
  assert.equal(await terminal.ended, 0);
});

testRows(['Ctrl-C, Ctrl-Break'], async (test) => {
  const windows = await setWindows(test);
  const terminal = openTerminal(test, windows, windows.terminalLine(['emulator', 'start', '--port', '0']));
  await terminal.screenShows('Press Ctrl-C to stop', '\x03');
  assert.equal(await terminal.ended, 0);

  const signedIn = await setWindows(test, { signedOut: false });
  await signedIn.put('tasks.csv', `id,title\n${sample.task},A\n${sample.backlog},B\n`);
  await signedIn.control('faults', { request: 'updateTask', silence: true, when: 'after' });
  const bulk = ['task', 'update', '--from', 'tasks.csv', '--concurrency', '1', '--timeout', '2', '--yes'];
  const run = openTerminal(test, signedIn, signedIn.terminalLine(bulk));
  await untilSent(signedIn);
  run.type('\x03');
  assert.equal(await run.ended, 130);
  assert.match((await signedIn.good([...bulk, '--resume'])).errors, /2 of 2 rows/);
});
