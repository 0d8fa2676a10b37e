// A terminal in the memory of the test, with the program in the test's own process: the same screen as a real one, a tenth of its
// cost. What the system does for a terminal is imitated here; tests on real terminals check the imitation.

import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Clock, Interruption, Keychain, Output, TerminalInput } from '#world/world.ts';
import { run } from '../program/program.ts';
import type { Stage } from './stage.ts';
import { type Setting, showTerminal, type Terminal } from './terminal.ts';

/** What a real terminal has too. */
export type TerminalInProcess = Omit<Terminal, 'close' | 'stopReading' | 'readAgain'>;

/** `line`: `wm` and its words, with `env -u NAME` or NAME=VALUE before; a word with spaces is in single quotes. */
export function openInProcess(
  test: TestContext,
  stage: Pick<Stage, 'environment' | 'folder'>,
  line: string,
  setting: Setting & { readonly clock?: Clock; readonly keychain?: Keychain } = {},
): TerminalInProcess {
  const { columns = 100, rows = 30 } = setting;
  const { words, unset, set } = parseLine(line);
  const environment = Object.fromEntries(
    Object.entries({
      TERM: 'xterm-256color',
      PAGER: 'cat',
      ...stage.environment,
      ...setting.environment,
      ...set,
    }).filter(([name]) => !unset.includes(name)),
  );
  const shown = showTerminal(columns, rows, (keys) => keyboard.type(keys));
  const size = { columns, rows };
  const keyboard = createKeyboard((echo) => shown.write(echo.replaceAll('\n', '\r\n')));
  const output = createOutput((text) => shown.write(text.replaceAll('\n', '\r\n')), size);
  const real = createWorld();
  const program = run(words, {
    environment,
    world: {
      files: createFiles(environment, process.platform, stage.folder),
      clock: setting.clock ?? real.clock,
      keychain: setting.keychain ?? real.keychain,
      process: {
        ...real.process,
        self: [process.execPath, resolve('bin/wm.js')],
        onInterrupt: keyboard.onInterrupt,
        onResume: () => () => {},
        isInForeground: () => true,
        holdsArgument: () => undefined,
        preferSmallHeap: async () => {},
        suspend: () => {},
        giveUpDisk: () => {},
      },
      streams: {
        input: {
          isTerminal: true,
          readAll: () => Promise.reject(new Error('a terminal is not read to its end')),
          terminal: keyboard.input,
          get raw(): never {
            throw new Error('a terminal is not read as a pipe');
          },
        },
        output,
        errors: output,
      },
    },
  }).then(({ status }) => shown.end(status));
  // A question that a failed test has left would keep the folder of the stage.
  test.after(async () => {
    while (shown.status === undefined) {
      keyboard.close();
      await Promise.race([program, new Promise((turn) => setImmediate(turn))]);
    }
  });
  return Object.assign(shown.terminal, {
    resize(newColumns: number, newRows: number) {
      Object.assign(size, { columns: newColumns, rows: newRows });
      shown.resize(newColumns, newRows);
      output.raw.emit('resize');
    },
  });
}

function parseLine(line: string) {
  // Before `wm` only variables: NAME=VALUE, or `env -u NAME`.
  if (!/^(?:env(?: -u \w+)+ |\w+=\S+ )*wm\b(?:'[^']*'|[^'$;&|<>])*$/.test(line))
    throw new Error(`Only a shell understands ${line}`);
  const pieces = Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
  const at = pieces.indexOf('wm');
  const before = pieces.slice(0, at);
  return {
    words: pieces.slice(at + 1),
    unset: before.filter((_, index) => before[index - 1] === '-u'),
    set: Object.fromEntries(
      before.flatMap((piece) => {
        const [, name, value] = /^(\w+)=(.*)$/.exec(piece) ?? [];
        return name === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

function createOutput(write: (text: string) => void, size: { columns: number; rows: number }): Output {
  const raw = new Writable({
    decodeStrings: false,
    write(piece: string | Buffer, _encoding, done) {
      write(piece.toString());
      done();
    },
  });
  // Like the process's own, it outlives what is piped into it.
  raw.end = () => raw;
  for (const name of ['columns', 'rows'] as const)
    Object.defineProperty(raw, name, { get: () => size[name] });
  return {
    isTerminal: true,
    get columns() {
      return size.columns;
    },
    write: async (text: string) => write(text),
    raw,
  };
}

/** As the system's own: in its usual mode it shows what is typed, and gives it line by line; in raw mode it does neither. */
function createKeyboard(echo: (text: string) => void) {
  const listeners = new Set<(signal: Interruption) => void>();
  let isRaw = false;
  let line = '';
  let arrived = '';
  let hear: ((text: string) => void) | undefined;
  let hearEnd = () => {};
  const deliver = (text: string) => {
    arrived += text;
    if (hear === undefined || arrived === '') return;
    const whole = arrived;
    arrived = '';
    hear(whole);
  };
  const typeInLine = (key: string) => {
    if (key === '\x03') {
      line = '';
      echo('^C');
      for (const listener of [...listeners]) listener('SIGINT');
    } else if (key === '\r' || key === '\n') {
      const whole = `${line}\n`;
      line = '';
      echo('\n');
      deliver(whole);
    } else if (key === '\x7f') {
      if (line !== '') echo('\b \b');
      line = line.slice(0, -1);
    } else {
      line += key;
      echo(key);
    }
  };
  const input: TerminalInput = {
    setRaw(raw) {
      isRaw = raw;
      if (!raw) return;
      arrived += line;
      line = '';
    },
    async takePending({ lines = false } = {}) {
      const taken = lines ? arrived : arrived + line;
      arrived = '';
      if (!lines) line = '';
      return taken;
    },
    unread(text) {
      arrived = text + arrived;
    },
    listen(listener, ended) {
      hear = listener;
      hearEnd = ended;
      setImmediate(() => deliver(''));
      return () => {
        hear = undefined;
        hearEnd = () => {};
      };
    },
  };
  return {
    input,
    onInterrupt(listener: (signal: Interruption) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** The system hands out in one piece what was typed in one. */
    type(keys: string) {
      if (isRaw) deliver(keys);
      else for (const key of keys) typeInLine(key);
    },
    close() {
      hearEnd();
      for (const listener of [...listeners]) listener('SIGHUP');
    },
  };
}
