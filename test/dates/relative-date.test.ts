// Dates as people type them: what each becomes on a day, that it is echoed before anything is sent, and what is no date.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import type { Http } from '#world/world.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const task = 'IEAAAAAQKQAB5BNG';

/** A service whose account writes dates so; without a format, the account cannot be read. */
function accountWith(dateFormat?: string): Http {
  const data = [{ id: 'IEAAAAAQ', dateFormat }];
  const body = new TextEncoder().encode(JSON.stringify({ kind: 'accounts', data }));
  return {
    send: async () => ({
      status: dateFormat === undefined ? 403 : 200,
      headers: { 'content-type': 'application/json' },
      body,
    }),
  };
}

/** The clock stands so many days after Monday, 5 January 2026, at noon. */
function due(text: string, days = 0, dateFormat?: string) {
  const clock = clockAt(new Date(2026, 0, 5 + days, 12).getTime());
  const words = ['task', 'update', task, '--start', '2026-01-01', '--due', text, '--dry-run'];
  return run(words, { environment, world: { clock, http: accountWith(dateFormat) } });
}

for (const [text, date, days] of [
  ['tomorrow 9am', '2026-01-06T09:00:00'],
  ['Tomorrow at 12 AM', '2026-01-06T00:00:00'],
  ['5pm', '2026-01-05T17:00:00'],
  ['12:30 pm', '2026-01-05T12:30:00'],
  ['friday 5:15pm', '2026-01-09T17:15:00'],
  ['Dec 14', '2026-12-14'],
  ['14 December', '2026-12-14'],
  ['14. Dec 17:00', '2026-12-14T17:00:00'],
  ['Jan 5', '2026-01-05'],
  ['Jan 4', '2027-01-04'],
  ['february 29', '2028-02-29'],
  ['Dec 14, 2027', '2027-12-14'],
  ['14.12.2026', '2026-12-14'],
  ['4.1.2026 9am', '2026-01-04T09:00:00'],
  ['2026-1-4', '2026-01-04'],
  ['2026/12/04', '2026-12-04'],
  ['2026/2/4 9:00', '2026-02-04T09:00:00'],
  ['4-Dec-26', '2026-12-04'],
  ['04-December-2027 17:00', '2027-12-04T17:00:00'],
  ['next week', '2026-01-12'],
  ['next week 9am', '2026-01-12T09:00:00'],
  ['in 1 month', '2026-02-05'],
  ['2 months', '2026-03-05'],
  // 31 January.
  ['in 1 month', '2026-02-28', 26],
  ['next week', '2026-02-02', 26],
] as const) {
  test(`${text} ${days === undefined ? '' : `after ${days} days `}is ${date}, and is echoed`, async () => {
    const { status, output, errors } = await due(text, days);
    assert.equal(status, 0, errors);
    assert.match(decodeURIComponent(output), new RegExp(`"due":"${date}"`));
    assert.ok(errors.includes(date), errors);
  });
}

for (const [text, why] of [
  ['14/12/2026', 'can only be 2026-12-14; write that'],
  ['5/12/2026 9am', 'may have the day or the month first: write 2026-12-05 or 2026-05-12'],
  ['30 february', 'is not a date'],
  ['30.2.2026', 'is not a date'],
  ['2026-13-1', 'is not a date'],
  ['2026/13/1', 'is not a date'],
  ['2026-12/4', 'is not a date'],
  ['31-Feb-26', 'is not a date'],
  ['4-Dec-026', 'is not a date'],
  ['04/12/26', 'is not a date'],
  ['tomorrow 13pm', 'is not a date'],
  ['tomorrow 9', 'is not a date'],
  ['dec', 'is not a date'],
  ['am', 'is not a date'],
  ['decem 14', 'is not a date'],
] as const) {
  test(`${text}: ${why}, nothing sent`, async () => {
    const { status, errors } = await due(text);
    assert.equal(status, 2, errors);
    assert.ok(errors.includes(`--due: "${text}" ${why}`), errors);
  });
}

for (const [text, dateFormat, date] of [
  ['14/12/2026', 'dd/MM/yyyy', '2026-12-14'],
  ['5/12/2026 9am', 'dd/MM/yyyy', '2026-12-05T09:00:00'],
  ['5/12/2026', 'MM/dd/yyyy', '2026-05-12'],
  ['5/12/2026', 'd.M.yyyy', '2026-12-05'],
] as const) {
  test(`${text} in an account with ${dateFormat} is ${date}, and is echoed`, async () => {
    const { status, output, errors } = await due(text, 0, dateFormat);
    assert.equal(status, 0, errors);
    assert.match(decodeURIComponent(output), new RegExp(`"due":"${date}"`));
    assert.ok(errors.includes(`--due ${text} is ${date.slice(0, 10)}`), errors);
  });
}

test('such a date in other text does not read the account', async () => {
  const http = { send: () => assert.fail('a request') };
  const words = ['task', 'update', task, '--title', '14/12/2026', '--dry-run', '--json'];
  const { status, output, errors } = await run(words, { environment, world: { http } });
  assert.equal(status, 0, errors);
  assert.match(output, /14%2F12%2F2026/);
});

for (const [text, dateFormat] of [
  ['5/12/2026', 'yyyy-MM-dd'],
  ['5/12/2026', ''],
  ['14/12/2026', 'MM/dd/yyyy'],
  ['31/02/2026', 'dd/MM/yyyy'],
] as const) {
  test(`${text} in an account with ${JSON.stringify(dateFormat)} is an error`, async () => {
    const { status, errors } = await due(text, 0, dateFormat);
    assert.equal(status, 2, errors);
    if (text !== '31/02/2026')
      assert.match(errors, /may have the day or the month first|can only be 2026-12-14; write that/);
  });
}
