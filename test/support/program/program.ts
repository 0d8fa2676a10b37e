// Runs the program inside the test: argv in, text out. The network, the files and the clock are the real ones unless a
// test gives others; only the terminal is the test's own, and the folder of settings and records.

import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '#app/program.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Environment, Output, ReadFile, World } from '#world/world.ts';
import { assertJsonLines, textsOf } from './json-messages.ts';
import { assertPrintedCommands } from './printed.ts';
import { textOf } from './streams.ts';

/** A test may change the working folder. */
const program = resolve('bin/wm.js');

export interface Ran {
  readonly status: number;
  readonly output: string;
  /** With --json, the texts of the messages: test/support/program/json-messages.ts. */
  readonly errors: string;
  /** As it was written, where that differs. */
  readonly rawErrors?: string;
}

export interface Setting {
  readonly environment?: Environment;
  /** What standard input holds. */
  readonly input?: string | Uint8Array;
  /** Parts of the world to put in the place of the real ones. */
  readonly world?: Partial<World>;
  /** Gets each text when it is printed on standard output. */
  readonly onOutput?: (text: string) => void;
  /** The exit status that is expected. Without it, the test looks at the status itself. */
  readonly exit?: number;
}

/** For runs that name no folder. The runner of the tests removes what is below the temporary folder. */
const withFolder = (environment: Environment = {}): Environment =>
  environment['WM_CONFIG_DIR'] === undefined
    ? { WM_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'wm-run-')), ...environment }
    : environment;

const runs = channel('wm');

/** Counts the flags of a command line as typed by the test that runs now: scripts/testing/typed-flags.mjs. */
export function reportRun(argv: readonly string[], status: number): void {
  runs.publish({ argv, status });
}

/** A command that is interrupted leaves the files it reads open: its process ends, but that of the tests does not. */
function closingFiles(files: World['files']) {
  const opened: ReadFile[] = [];
  const openForReading: World['files']['openForReading'] = async (path) => {
    const file = await files.openForReading(path);
    if (file) opened.push(file);
    return file;
  };
  // Not a copy, which would read the getters at once.
  const closing: World['files'] = Object.create(files, { openForReading: { value: openForReading } });
  return {
    files: closing,
    closeAll: () => Promise.all(opened.map((file) => file.close())),
  };
}

export async function run(typed: readonly string[], setting: Setting = {}): Promise<Ran> {
  let output = '';
  let errors = '';
  const collect = (add: (text: string) => void): Output => ({
    isTerminal: false,
    columns: undefined,
    write: async (text) => add(textOf(text)),
    raw: new PassThrough(),
  });
  const real = createWorld();
  const world: World = {
    ...real,
    // The program run again, as it does for a renewal, is the built one.
    process: {
      ...real.process,
      self: [process.execPath, program],
      onInterrupt: () => () => {},
      ignoreHangup: () => () => {},
      onResume: () => () => {},
      isInForeground: () => true,
      // The command line is that of the tests.
      holdsArgument: () => undefined,
      // The test's own process is none of the command's business.
      preferSmallHeap: async () => {},
      suspend: () => {},
      giveUpDisk: () => {},
    },
    environment: setting.environment ?? {},
    files: setting.world?.files ?? createFiles(withFolder(setting.environment), process.platform),
    streams: {
      input: {
        isTerminal: false,
        readAll: async () =>
          typeof setting.input === 'string'
            ? new TextEncoder().encode(setting.input)
            : (setting.input ?? new Uint8Array()),
        raw: Readable.from(setting.input === undefined ? [] : [Buffer.from(setting.input)]),
      },
      output: collect((text) => {
        output += text;
        setting.onOutput?.(text);
      }),
      errors: collect((text) => {
        errors += text;
      }),
    },
    ...setting.world,
  };
  const { files, closeAll } = closingFiles(world.files);
  const status = await runProgram(typed, { ...world, files });
  await closeAll();
  reportRun(typed, status);
  const expected = setting.exit ?? status;
  assert.equal(status, expected, `wm ${typed.join(' ')}\n${output}${errors}`);
  if (world.streams.errors.isTerminal) return { status, output, errors };
  assertJsonLines(typed, errors);
  await assertPrintedCommands(errors, world.process.platform);
  const texts = textsOf(errors);
  return { status, output, errors: texts, ...(texts === errors ? {} : { rawErrors: errors }) };
}
