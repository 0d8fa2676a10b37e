// A pseudo-terminal for the bench: types, and says how long it takes until something is shown.

import { performance } from 'node:perf_hooks';
import { spawn } from '@lydell/node-pty';

/** `shows(text)` resolves with the moment at which the terminal has shown the text since the last keys were typed. */
export function openTerminal(command, env, { columns = 100, rows = 30 } = {}) {
  const pty = spawn(command[0], command.slice(1), { name: 'xterm-256color', cols: columns, rows, env });
  let shown = '';
  let waiting;
  const look = () => {
    if (waiting === undefined || !plain(shown).includes(waiting.text)) return;
    const { resolve } = waiting;
    waiting = undefined;
    resolve(performance.now());
  };
  pty.onData((data) => {
    shown += data;
    look();
  });
  const ended = new Promise((resolve) =>
    pty.onExit(({ exitCode }) => {
      waiting?.reject(
        new Error(`It ended with ${exitCode} before it showed ${waiting.text}:\n${plain(shown)}`),
      );
      resolve(exitCode);
    }),
  );
  return {
    ended,
    kill: () => pty.kill('SIGKILL'),
    type(keys) {
      shown = '';
      pty.write(keys);
      return performance.now();
    },
    shows: (text) =>
      new Promise((resolve, reject) => {
        waiting = { text, resolve, reject };
        look();
      }),
  };
}

/** Without colours and cursor movements. */
function plain(raw) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return raw.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');
}
