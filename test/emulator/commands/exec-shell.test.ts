// `wm emulator exec -- sh`: a shell in which `wm` works at once. It greets with commands, which do what they say.
// exec-shell.deep.test.ts types them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import type { Environment } from '#world/world.ts';
import { execWith } from './in-process.ts';

/** What `wm emulator exec` prints before this command, with standard input on a terminal or not; `use` is in its place. */
async function greeting(
  words: readonly string[],
  { flags = [], isTerminal = true, use = async () => {} }: Partial<Options> = {},
): Promise<string> {
  const { streams } = createWorld();
  const printed: string[] = [];
  const output = { ...streams.output, write: async (text: string) => void printed.push(text) };
  const world = { streams: { input: { ...streams.input, isTerminal }, output, errors: output } };
  const inPlace = (environment: Environment) => use(printed.join(''), environment).then(() => 0);
  const { status } = await execWith([...flags, '--', ...words], inPlace, world);
  assert.equal(status, 0, printed.join(''));
  return printed.join('');
}

type Use = (printed: string, environment: Environment) => Promise<void>;

interface Options {
  readonly flags: readonly string[];
  readonly isTerminal: boolean;
  readonly use: Use;
}

test('a shell shows commands to try, and each works there', async () => {
  const shown = [
    /Weekly report[\s\S]*The form loses its text/,
    /\tCompleted\tWeekly report\t/,
    /\tActive\tWeekly report\t/,
    /\tSuspended\t.*\tits disk is full \(Ben Okafor, /,
    /"billing" matches 2 webhooks/,
  ];
  // What a terminal makes unnecessary.
  const more = [[], ['--undoable'], ['--yes'], [], []];
  const use: Use = async (printed, environment) => {
    const [, ...commands] =
      /signed in\. Try:\n\n {2}wm (.*)\n {2}wm (.*)\n {2}wm (.*)\n {2}wm (.*)\n {2}wm (.*)\n\nType exit to end the emulator\.\n/.exec(
        printed,
      ) ?? [];
    assert.equal(commands.length, shown.length);
    for (const [at, command] of commands.entries()) {
      const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      const { status, output, errors } = await run([...words, ...(more[at] ?? [])], { environment });
      // Without a terminal to pick on, the look-alike stops it.
      assert.equal(status, command.startsWith('webhook suspend') ? 2 : 0, `${command}: ${errors}${output}`);
      assert.match(`${errors}${output}`, shown[at] ?? /^$/);
    }
  };
  await greeting(['sh'], { use });
});

test('shows no greeting to a command, or to a shell that runs a script', async () => {
  for (const words of [['sh', '-c', 'echo done'], ['sh', 'script'], ['node']])
    assert.equal(await greeting(words), '');
  assert.equal(await greeting(['sh'], { isTerminal: false }), '');
});

test('a shell with flags shows the greeting, too', { skip }, async (context) => {
  for (const words of [['/bin/bash', '--norc', '-l'], ['nu']])
    assert.match(await greeting(words), /signed in\. Try:/);
  assert.match(await greeting(['sh'], { flags: ['--signed-out'] }), /\. Try wm login, then:/);
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm emulator exec -- sh -i', {
    columns: 120,
    environment: { PS1: '[ready]', ENV: '' },
  });
  await terminal.shows(/signed in\. Try:[\s\S]*\[ready\]/);
  terminal.type(`exit${key.enter}`);
  assert.equal(await terminal.ended, 0);
});
