// A console of Windows, as wine's conhost shows it on a pseudo-terminal: prompts, pickers, Ctrl-C.

import assert from 'node:assert/strict';
import { openTerminal } from '../terminal/terminal.ts';
import { setWindows, testRows } from './wine.ts';

testRows(['Console, code page, ConPTY'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
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
  await terminal.screenShows('Suspend https://old.example/billing');
  terminal.type('y\r');
  await terminal.screenShows('read back from the service');
  assert.equal(await terminal.ended, 0);
});

testRows(['Ctrl-C, Ctrl-Break'], async (test) => {
  const windows = await setWindows(test);
  const terminal = openTerminal(test, windows, windows.terminalLine(['emulator', 'start', '--port', '0']));
  await terminal.screenShows('Press Ctrl-C to stop');
  terminal.type('\x03');
  assert.equal(await terminal.ended, 0);
});
