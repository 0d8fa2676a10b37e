// A pseudo-terminal with a command in it, as a person has one: what it shows can be waited for, as text in its order or as
// the screen has it; keys can be typed, the window can be resized, and how it was left can be asked.

import type { TestContext } from 'node:test';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import type { Stage } from './stage.ts';

export const key = {
  up: '\x1b[A',
  down: '\x1b[B',
  pageUp: '\x1b[5~',
  pageDown: '\x1b[6~',
  home: '\x1b[H',
  end: '\x1b[F',
  left: '\x1b[D',
  tab: '\t',
  backspace: '\x7f',
  /** Ctrl-U: deletes the line. */
  clear: '\x15',
  enter: '\r',
  interrupt: '\x03',
} as const;

export interface Setting {
  readonly columns?: number;
  readonly rows?: number;
  /** Added to the stage's. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a test reads on a terminal, and types. */
interface Reading {
  /** Everything that was written to it. */
  readonly raw: string;
  /** The same without colours and cursor movements, lines ending with \n. */
  readonly text: string;
  /** Waits for what was not waited for before, and types the keys then; gives the match. */
  shows(pattern: string | RegExp, keys?: string): Promise<RegExpExecArray>;
  /** Waits until the screen shows it, and types the keys then; gives the screen's lines, without the spaces at their ends. */
  screenShows(
    pattern: string | RegExp | ((lines: readonly string[]) => boolean),
    keys?: string,
  ): Promise<readonly string[]>;
  /** How often it has beeped. */
  readonly beeps: number;
  /** Waits until it has beeped more often than that. */
  beepsAfter(count: number): Promise<void>;
  /** The exit status, after the last output. */
  readonly ended: Promise<number>;
  type(keys: string): void;
}

export interface Terminal extends Reading {
  resize(columns: number, rows: number): void;
  /** Stops reading what is written to it, as Ctrl-S or a dead connection does, and reads again. */
  stopReading(): void;
  readAgain(): void;
  /** As a person closes the window. Nothing can be read from it any more. */
  close(): void;
}

const deadlineMs = 60_000;

/** Written when the line has ended. The shell then waits, since a terminal that closes may lose its last lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: nothing else writes this
const endMark = /\x1b\]ended;(\d+)\x07/;
const thenMark = `code=$?; printf '\\033]ended;%s\\007' $code; read _; exit $code`;

/** Runs a line of /bin/sh in a new terminal; it is ended with the test. */
export function openTerminal(test: TestContext, stage: Stage, line: string, setting: Setting = {}): Terminal {
  const { columns = 100, rows = 30, environment = {} } = setting;
  const type = environment['TERM'] ?? 'xterm-256color';
  // Ctrl-C is for the line alone.
  const pty = spawn('/bin/sh', ['-c', `trap : INT\n(${line}\n)\n${thenMark}`], {
    name: type,
    cols: columns,
    rows,
    cwd: stage.folder,
    // The system's `less` would wait for a key.
    env: { PAGER: 'cat', ...stage.environment, ...environment },
  });
  const shown = showTerminal(columns, rows, (keys) => pty.write(keys));
  pty.onData((data) => {
    if (shown.status !== undefined) return;
    const end = endMark.exec(shown.terminal.raw + data);
    shown.write(data, end?.index);
    if (!end) return;
    shown.end(Number(end[1]));
    pty.write('\r');
  });
  pty.onExit(() => shown.close());
  test.after(() => {
    if (!shown.isClosed) pty.kill('SIGKILL');
  });
  return Object.assign(shown.terminal, {
    stopReading: () => pty.pause(),
    readAgain: () => pty.resume(),
    resize(newColumns: number, newRows: number) {
      shown.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    close() {
      shown.close();
      // The library's type does not have what its Unix terminal does.
      if (!('destroy' in pty) || typeof pty.destroy !== 'function') throw new Error('It cannot be closed');
      pty.destroy();
    },
  });
}

/** What a terminal shows of what is written to it, and how a test waits for that. */
export function showTerminal(columns: number, rows: number, type: (keys: string) => void) {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  let beeps = 0;
  screen.onBell(() => {
    beeps++;
  });
  let raw = '';
  let read = 0;
  let status: number | undefined;
  /** How many pieces of output the screen does not show yet. */
  let undrawn = 0;
  let closed = false;
  const changed = new Set<() => void>();
  const tell = () => {
    for (const listener of [...changed]) listener();
  };

  /** Resolves once `find` finds something; rejects after the deadline, or when nothing more can come. */
  function wait<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        changed.delete(look);
        act();
      };
      const fail = (why: string) =>
        settle(() =>
          reject(
            new Error(
              `${why} ${what}; the terminal showed:\n${plain(raw).slice(-3000)}\n\nand its screen:\n${linesOf(screen).join('\n')}`,
            ),
          ),
        );
      const look = () => {
        const found = find();
        if (found !== undefined) settle(() => resolve(found));
        else if ((closed || status !== undefined) && undrawn === 0) fail(`it ended with ${status} before`);
      };
      const timer = setTimeout(() => fail(`${deadlineMs} ms were not enough for`), deadlineMs);
      changed.add(look);
      look();
    });
  }

  const terminal: Reading = {
    get raw() {
      return raw;
    },
    get text() {
      return plain(raw);
    },
    type,
    async shows(pattern, keys) {
      const source = typeof pattern === 'string' ? literally(pattern) : pattern;
      const match = await wait(`${pattern}`, () => {
        const text = plain(raw);
        const found = source.exec(text.slice(read)) ?? undefined;
        if (found) read += found.index + found[0].length;
        return found;
      });
      if (keys !== undefined) type(keys);
      return match;
    },
    async screenShows(pattern, keys) {
      const source = typeof pattern === 'string' ? literally(pattern) : pattern;
      const fits = (lines: readonly string[]) =>
        typeof source === 'function' ? source(lines) : source.test(lines.join('\n'));
      const fitting = await wait(`${pattern} on the screen`, () => {
        const lines = linesOf(screen);
        return fits(lines) ? lines : undefined;
      });
      if (keys !== undefined) type(keys);
      return fitting;
    },
    get beeps() {
      return beeps;
    },
    async beepsAfter(count) {
      await wait('a beep', () => (beeps > count ? beeps : undefined));
    },
    get ended() {
      return wait('its end', () => status);
    },
  };
  return {
    terminal,
    /** `end`: how much of all that was written belongs to the terminal. */
    write(data: string, end?: number) {
      raw = (raw + data).slice(0, end);
      // Told once the screen has it, too.
      undrawn++;
      screen.write(data, () => {
        undrawn--;
        tell();
      });
    },
    end(code: number) {
      status = code;
      if (undrawn === 0) tell();
    },
    close() {
      closed = true;
      tell();
    },
    resize: (newColumns: number, newRows: number) => screen.resize(newColumns, newRows),
    get status() {
      return status;
    },
    get isClosed() {
      return closed;
    },
  };
}

function linesOf({ buffer: { active }, rows }: headless.Terminal): string[] {
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
  );
}

/** A message may have been wrapped between two of its words. */
function literally(text: string): RegExp {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(escaped.replace(/(?<=\S) (?=\S)/g, '(?: |\\n *)'));
}

/** What of it is text. Cursor movements leave nothing, so that what was overwritten is still there, in its order. */
export function plain(raw: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return raw.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}

/** True where the cursor is shown at the end. */
export function cursorIsShown(raw: string): boolean {
  return raw.lastIndexOf('\x1b[?25h') >= raw.lastIndexOf('\x1b[?25l');
}

/** A reason, where there are no pseudo-terminals of this kind. */
export const skip = process.platform === 'win32' && 'needs a pseudo-terminal with /bin/sh';
