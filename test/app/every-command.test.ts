// Every command of the tree, called in each of the ways that no test of its own should have to repeat: help, usage errors, JSON.
// every-command.deep.test.ts has the slower ways.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import {
  assertJsonError,
  assertNoLineIsWider,
  invocationSetting,
  missingArgumentOf,
  onTerminal,
} from './every-command.ts';
import { invocations } from './invocations.ts';
import { filled, setPlace, testClosedReader } from './place.ts';

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

for (const row of commands) {
  const name = `wm ${row.words}`;
  const words = row.words.split(' ');

  test(`${name}: help fits 60 columns`, async () => {
    const { status, output, errors } = await onTerminal(60, [...words, '--help']);
    assert.equal(status, 0);
    assert.equal(errors, '');
    assert.match(output, new RegExp(`^Usage: ${name}[ |]`));
    assert.equal(output.includes('\nExperimental: '), row.experimental === true);
    const [text = '', examples = ''] = output.split('\nExamples:\n');
    assertNoLineIsWider(text, 60, name);
    for (const line of examples.split('\n').filter((text) => /^ +#/.test(text)))
      assertNoLineIsWider(line, 60, name);
  });

  test(`${name}: an unknown flag is a usage error`, async () => {
    const piped = await run([...words, '--no-such-flag'], { exit: 2 });
    assert.equal(piped.output, '');
    assert.match(piped.errors, /^wm: .*--no-such-flag/);
    const json = await run([...words, '--no-such-flag', '--json'], { exit: 2 });
    assertJsonError(json, name);
  });

  test(`${name}: a missing argument is a usage error`, async (context) => {
    const missing = await missingArgumentOf(row);
    if (missing === undefined) return;
    const called = [...words, '--no-input'];
    const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
    const piped = await run(called, { exit: 2, environment });
    assert.equal(piped.output, '');
    assert.match(piped.errors, /^wm: /);
    const json = await run([...called, '--json'], { exit: 2, environment });
    assertJsonError(json, name);
    context.diagnostic(missing);
  });
}

for (const { words } of commands) {
  const invocation = invocations[words];
  if (invocation === undefined || invocation.notRun !== undefined) continue;
  const name = `wm ${words}`;
  const { status: wanted = 0 } = invocation;

  test(`${name}: succeeds with --json, and prints JSON`, async (context) => {
    const place = await setPlace(context, invocation);
    const argv = [...words.split(' '), '--json', ...filled(place, invocation.arguments)];
    const ran = await run(argv, invocationSetting(place, invocation));
    assert.equal(ran.status, wanted, `${ran.output}${ran.errors}`);
    assertJson(ran.output, name);
  });
}

for (const { words, load } of commands) {
  const { changes, handlesInterrupt } = (await load()).default;
  const invocation = invocations[words];
  // Only the changes of a session are counted.
  const isCounted = changes === 'the service' || changes === 'nothing';
  if (invocation === undefined || invocation.notRun || handlesInterrupt || isCounted) continue;

  test(`wm ${words}: interrupted while printing its result, it does not say that nothing was changed`, async (context) => {
    const place = await setPlace(context, invocation);
    const setting = invocationSetting(place, invocation);
    const signals = handSignals();
    const { streams, texts } = collectStreams();
    const interrupting = (name: 'output' | 'errors') => ({
      ...streams[name],
      write(text: string | Uint8Array) {
        if (signals.listeners.size > 0) signals.interrupt();
        return streams[name].write(text);
      },
    });
    const readAll = async () => Buffer.from(setting.input ?? '');
    const input = { ...streams.input, readAll };
    const world = {
      ...setting.world,
      process: signals.process,
      streams: { input, output: interrupting('output'), errors: interrupting('errors') },
    };
    await run([...words.split(' '), ...filled(place, invocation.arguments)], {
      exit: 130,
      ...setting,
      world,
    });
    assert.match(texts.errors, /^wm: Interrupted$/m);
    assert.doesNotMatch(texts.errors, /nothing was changed/i);
  });
}

testClosedReader('quick');
