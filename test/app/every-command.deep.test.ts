// Every command of the tree on a narrow terminal, without a network, and as a process whose reader has gone; every-command.test.ts
// tries the last with a few.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { createTestClock } from '#test/support/clock.ts';
import { type Ran, run, type Setting } from '#test/support/program/program.ts';
import {
  assertJsonError,
  assertNoLineIsWider,
  invocationSetting,
  missingArgumentOf,
  onTerminal,
} from './every-command.ts';
import { invocations } from './invocations.ts';
import { filled, setPlace, testClosedReader } from './place.ts';

/** Each wait is over as soon as what can happen has happened. */
async function runHurried(argv: readonly string[], setting: Setting): Promise<Ran> {
  let hasEnded = false;
  const clock = createTestClock((milliseconds) => {
    if (!hasEnded) setImmediate(() => clock.advance(milliseconds));
  });
  const ran = await run(argv, { ...setting, world: { ...setting.world, clock } });
  hasEnded = true;
  return ran;
}

for (const row of commands) {
  const words = row.words.split(' ');
  const name = `wm ${row.words}`;

  test(`${name}: usage errors fit 40 columns`, async () => {
    const unknown = await onTerminal(40, [...words, '--no-such-flag']);
    assert.deepEqual([unknown.status, unknown.output], [2, '']);
    assertNoLineIsWider(unknown.errors, 40, name);
    if ((await missingArgumentOf(row)) === undefined) return;
    const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
    const missing = await onTerminal(40, [...words, '--no-input'], { environment });
    assert.equal(missing.status, 2);
    assertNoLineIsWider(missing.errors, 40, name);
  });
}

for (const { words } of commands) {
  const invocation = invocations[words];
  if (invocation === undefined || invocation.notRun !== undefined) continue;
  const name = `wm ${words}`;
  const { status: wanted = 0, withoutNetwork = 7, input, isLocal, printsOutcomes } = invocation;

  test(`${name}: fits 40 columns`, async (context) => {
    const place = await setPlace(context, invocation);
    const argv = [...words.split(' '), ...filled(place, invocation.arguments)];
    const setting = invocationSetting(place, invocation);
    const ran = input === undefined ? await onTerminal(40, argv, setting) : await run(argv, setting);
    assert.equal(ran.status, wanted, `${ran.output}${ran.errors}`);
    if (input === undefined) {
      if (!invocation.printsFile) assertNoLineIsWider(ran.output, 40, name);
      assertNoLineIsWider(ran.errors, 40, name);
    }
  });

  test(`${name}: without a network`, async (context) => {
    const place = await setPlace(context, invocation);
    await place.emulator.close();
    const argv = [...words.split(' '), ...filled(place, invocation.arguments)];
    const setting = invocationSetting(place, invocation);
    if (isLocal) {
      const { status, errors } = await run(argv, setting);
      return assert.equal(status, wanted, errors);
    }
    const ran = await runHurried(argv, setting);
    assert.equal(ran.status, withoutNetwork, `${ran.output}${ran.errors}`);
    if (withoutNetwork !== 7) return;
    if (!printsOutcomes) assert.equal(ran.output, '');
    assert.match(ran.errors, /^wm: /m);
    const json = await runHurried([...argv, '--json'], setting);
    assert.equal(json.status, 7);
    assertJsonError(printsOutcomes ? { ...json, output: '' } : json, name);
  });
}

testClosedReader('deep');
