// Every command of the tree, called in each of the ways that no test of its own should have to repeat: help, usage errors,
// JSON, a narrow terminal, no network, a reader that has gone.

import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { type CommandRow, commands } from '../../src/command/commands.ts';
import { createWorld } from '../../src/world/create-world.ts';
import type { Environment, Interruption, Output, World } from '../../src/world/world.ts';
import { createTestClock } from '../clock.ts';
import { type Ran, run, type Setting } from '../program.ts';
import { type Invocation, invocations } from './invocations.ts';
import { filled, type Place, setPlace, settingOf, testClosedReader } from './place.ts';

/** A terminal of this width, as both standard output and standard error. */
async function onTerminal(
  columns: number,
  typed: readonly string[],
  setting: { readonly environment?: Environment; readonly world?: Partial<World> } = {},
): Promise<Ran> {
  const texts = { output: '', errors: '' };
  const shown = (name: keyof typeof texts): Output => ({
    isTerminal: true,
    columns,
    write: async (text) => {
      texts[name] += text;
    },
    raw: new PassThrough(),
  });
  const input = { isTerminal: false, readAll: async () => new Uint8Array(), raw: Readable.from([]) };
  const streams = { input, output: shown('output'), errors: shown('errors') };
  const { status } = await run(typed, { ...setting, world: { streams, ...setting.world } });
  return { status, ...texts };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colours = /\u001b\[[\d;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** A line's end, or the beginning of a line that is drawn again. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what draws
const redrawn = /\n|\r?\u001b\[K|\r/;

/** What is copied stays whole: a command, a URL or another word that is wider than the terminal. */
function assertNoLineIsWider(text: string, columns: number, name: string): void {
  for (const line of text.replace(colours, '').split(redrawn)) {
    if (stringWidth(line) <= columns) continue;
    // Variables may precede it. Or it is a flag whose value is a command, in backticks.
    const isCommand = /^ *(?:\S+: )?(?:[A-Z_]+=\S+ )*(?:wm|npx|kill|curl|export|`--tunnel) /.test(line);
    const isOneWord = !/\S\s+\S/.test(line.trim());
    assert.ok(isCommand || isOneWord, `${name}: ${stringWidth(line)} wide: ${line}`);
  }
}

/** JSON whole, or one value on each line. */
function assertJson(text: string, name: string): void {
  if (text === '') return;
  try {
    JSON.parse(text);
  } catch {
    for (const line of text.trimEnd().split('\n'))
      assert.doesNotThrow(() => JSON.parse(line), `${name}: not JSON: ${text}`);
  }
}

function assertJsonError({ output, errors }: Ran, name: string): void {
  assert.equal(output, '', name);
  // Warnings come before it.
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(typeof error.code, 'string', `${name}: ${errors}`);
  assert.equal(typeof error.message, 'string', `${name}: ${errors}`);
}

async function missingArgumentOf({ load }: CommandRow): Promise<string | undefined> {
  const rows = Object.entries((await load()).default.arguments);
  return rows.find(([, { optional }]) => !optional)?.[0];
}

for (const row of commands) {
  const name = `wm ${row.words}`;
  const words = row.words.split(' ');

  test(`${name}: help fits 60 columns`, async () => {
    const { status, output, errors } = await onTerminal(60, [...words, '--help']);
    assert.equal(status, 0);
    assert.equal(errors, '');
    assert.match(output, new RegExp(`^Usage: ${name}[ |]`));
    const [text = '', examples = ''] = output.split('\nExamples:\n');
    assertNoLineIsWider(text, 60, name);
    for (const line of examples.split('\n').filter((one) => /^ +#/.test(one)))
      assertNoLineIsWider(line, 60, name);
  });

  test(`${name}: an unknown flag is a usage error`, async () => {
    const piped = await run([...words, '--no-such-flag']);
    assert.equal(piped.status, 2, piped.errors);
    assert.equal(piped.output, '');
    assert.match(piped.errors, /^wm: .*--no-such-flag/);
    const json = await run([...words, '--no-such-flag', '--json']);
    assert.equal(json.status, 2);
    assertJsonError(json, name);
    const narrow = await onTerminal(40, [...words, '--no-such-flag']);
    assert.equal(narrow.status, 2);
    assert.equal(narrow.output, '');
    assertNoLineIsWider(narrow.errors, 40, name);
  });

  test(`${name}: a missing argument is a usage error`, async (context) => {
    const missing = await missingArgumentOf(row);
    if (missing === undefined) return;
    const called = [...words, '--no-input'];
    const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
    const piped = await run(called, { environment });
    assert.equal(piped.status, 2, piped.errors);
    assert.equal(piped.output, '');
    assert.match(piped.errors, /^wm: /);
    const json = await run([...called, '--json'], { environment });
    assert.equal(json.status, 2);
    assertJsonError(json, name);
    const narrow = await onTerminal(40, called, { environment });
    assert.equal(narrow.status, 2);
    assertNoLineIsWider(narrow.errors, 40, name);
    context.diagnostic(missing);
  });
}

// ------------------------------------------------------------------------------------------------ against an emulator

/** Interrupts as soon as somebody listens. */
function interruptedAtOnce(): World['process'] {
  return {
    ...createWorld().process,
    onInterrupt(listener: (signal: Interruption) => void) {
      const timer = setImmediate(() => listener('SIGINT'));
      return () => clearImmediate(timer);
    },
  };
}

function worldOf(place: Place, { isInterrupted }: Invocation): Partial<World> {
  const { world } = settingOf(place);
  return isInterrupted ? { ...world, process: interruptedAtOnce() } : world;
}

/** Each wait is over as soon as what can happen has happened. */
async function runHurried(typed: readonly string[], setting: Setting): Promise<Ran> {
  let hasEnded = false;
  const clock = createTestClock((milliseconds) => {
    if (!hasEnded) setImmediate(() => clock.advance(milliseconds));
  });
  const ran = await run(typed, { ...setting, world: { ...setting.world, clock } });
  hasEnded = true;
  return ran;
}

for (const { words } of commands) {
  const invocation = invocations[words];
  if (invocation === undefined || invocation.notRun !== undefined) continue;
  const name = `wm ${words}`;
  const { status: wanted = 0, withoutNetwork = 7, input, isLocal, printsOutcomes } = invocation;
  const setting = (place: Place) => ({
    environment: place.environment,
    ...(input === undefined ? {} : { input: place.values[input] ?? input }),
    world: worldOf(place, invocation),
  });

  test(`${name}: succeeds with --json, and prints JSON`, async (context) => {
    const place = await setPlace(context, invocation);
    const typed = [...words.split(' '), '--json', ...filled(place, invocation.arguments)];
    const ran = await run(typed, setting(place));
    assert.equal(ran.status, wanted, `${ran.output}${ran.errors}`);
    assertJson(ran.output, name);
  });

  test(`${name}: fits 40 columns`, async (context) => {
    const place = await setPlace(context, invocation);
    const typed = [...words.split(' '), ...filled(place, invocation.arguments)];
    const given = setting(place);
    const ran = input === undefined ? await onTerminal(40, typed, given) : await run(typed, given);
    assert.equal(ran.status, wanted, `${ran.output}${ran.errors}`);
    if (input === undefined) {
      if (!invocation.printsFile) assertNoLineIsWider(ran.output, 40, name);
      assertNoLineIsWider(ran.errors, 40, name);
    }
  });

  test(`${name}: without a network`, async (context) => {
    const place = await setPlace(context, invocation);
    await place.emulator.close();
    const typed = [...words.split(' '), ...filled(place, invocation.arguments)];
    const given = setting(place);
    if (isLocal) {
      const { status, errors } = await run(typed, given);
      return assert.equal(status, wanted, errors);
    }
    const ran = await runHurried(typed, given);
    assert.equal(ran.status, withoutNetwork, `${ran.output}${ran.errors}`);
    if (withoutNetwork !== 7) return;
    if (!printsOutcomes) assert.equal(ran.output, '');
    assert.match(ran.errors, /^wm: /m);
    const json = await runHurried([...typed, '--json'], given);
    assert.equal(json.status, 7);
    assertJsonError(printsOutcomes ? { ...json, output: '' } : json, name);
  });
}

testClosedReader('quick');
