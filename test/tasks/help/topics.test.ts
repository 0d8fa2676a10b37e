// `wm task update --help TOPIC`: every topic in every way to request it, unknown topics, and the contents of the pages,
// compared with the contract and with what the command accepts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const topics = ['dates', 'people', 'fields', 'html', 'json', 'limits', 'files'];
const help = ['task', 'update', '--help'];

async function page(...typed: readonly string[]): Promise<string> {
  const ran = await run(typed);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.errors, '');
  return ran.output;
}

/** In one line, whatever the width. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

test('the page of all flags lists the topics', async () => {
  const text = await page(...help, 'all');
  assert.ok(text.includes('Topics (wm task update --help TOPIC):'), text);
  for (const topic of topics) assert.match(text, new RegExp(`^  ${topic} +[A-Z]`, 'm'));
});

for (const topic of topics) {
  test(`${topic}: one page, however the user asks for it`, async () => {
    const text = await page(...help, topic);
    assert.ok(text.startsWith('wm task update: '), text);
    assert.doesNotMatch(text, /^Flags:/m);
    for (const typed of [
      ['task', 'update', '-h', topic],
      ['help', 'task', 'update', topic],
      ['task', 'help', 'update', topic],
      ['--json', 'task', 'update', '--help', topic],
      ['task', 'update', 'IEAAAAAQKQAB5BNG', '--help', topic],
    ])
      assert.equal(await page(...typed), text, typed.join(' '));
  });
}

for (const [word, hint] of [
  ['date', 'Did you mean wm task update --help dates?'],
  [
    'xyzzyxyzzy',
    'The topics are: dates, people, fields, html, json, limits, files. For all flags: wm task update --help all',
  ],
] as const) {
  for (const typed of [
    [...help, word],
    ['help', 'task', 'update', word],
  ]) {
    test(`wm ${typed.join(' ')}: exit 2 with a suggestion`, async () => {
      const ran = await run(typed);
      assert.equal(ran.status, 2);
      assert.equal(ran.output, '');
      assert.equal(ran.errors, `wm: wm task update has no help topic "${word}"\n  ${hint}\n`);
    });
  }
}

test('help of a command without topics ignores the rest of the line', async () => {
  assert.equal(await page('whoami', '--help', 'dates'), await page('whoami', '--help'));
  assert.equal(await page('help', 'webhook', 'list', 'dates'), await page('webhook', 'list', '--help'));
});

test('every date and duration that the page lists is valid', async () => {
  const text = await page(...help, 'dates');
  const formsIn = (title: string) => {
    const [, after = ''] = text.split(`${title} `);
    const [block = ''] = after.split('\n\n');
    return [...block.matchAll(/^ {2}(\S.*?)(?: {2,}.*)?$/gm)].flatMap(([, term = '']) => term.split(', '));
  };
  // Only where the account's format is known: test/cli/relative-date.test.ts.
  const dates = formsIn('Dates').filter((form) => form !== '14/12/2026');
  const durations = formsIn('Durations');
  assert.ok(dates.length >= 12 && durations.length >= 6, text);
  const world = { clock: clockAt(new Date(2026, 10, 21).getTime()) };
  for (const [start, duration] of [
    ...dates.map((form) => [form, '1d'] as const),
    ...dates.map((form) => [`${form.replace(' 17:00', '')} 9:00`, '1d'] as const),
    ...durations.map((form) => ['2026-12-01', form] as const),
  ]) {
    const argv = ['task', 'update', sample.task, '--start', start, '--duration', duration, '--dry-run'];
    const ran = await run(argv, { world });
    assert.equal(ran.status, 0, `${start}, ${duration}: ${ran.errors}`);
  }
});

// By hand, from the contract.
const limits = [
  'not empty, at most 1000 characters',
  'at most 1000000 characters',
  'at most 100 metadata entries',
  'at most 49 characters',
  'at most 999 characters',
  'at most 100 custom fields',
  'at most 4000 characters, no U+0000, no U+0011 at the start',
  'in the range [0, 1800000) minutes',
  'at least 1 minute',
  'in the range [1970-01-01T00:00:00, 2100-01-01T00:00:00)',
  '8 characters, upper-case letters and digits',
  '16 characters, upper-case letters and digits',
  '1 to 256 characters from letters, digits and - _ : . =',
];

test('the page about limits has those of the contract', async () => {
  const text = flat(await page(...help, 'limits'));
  for (const one of limits) assert.ok(text.includes(one), `${one} in ${text}`);
});

test('the page about HTML has the tags of the contract, and no other', async () => {
  const tags = 'br h1 h2 h3 h4 h5 h6 strong b em i u s span a img ol ul li table tr td'.split(' ');
  const text = flat(await page(...help, 'html'));
  assert.ok(text.includes(`keeps these tags: ${tags.map((tag) => `<${tag}>`).join(' ')} With`), text);
  for (const protocol of ['http:', 'https:', 'ftp:', 'mailto:']) assert.ok(text.includes(protocol));
});

// By hand, from the contract.
const members: readonly (readonly [flag: string, names: readonly string[]])[] = [
  ['--dates', ['type', 'start', 'due', 'duration', 'workOnWeekends']],
  ['--metadata', ['key', 'value']],
  ['--custom-fields', ['id', 'value']],
  [
    '--effort-allocation',
    ['mode', 'dailyAllocationPercentage', 'allocatedEffort', 'totalEffort', 'responsibleAllocation'],
  ],
  ['--set-responsible-allocation', ['dailyAllocation', 'userId', 'placeholderId']],
];

test('the page about JSON has every member of each value, and an example of each', async () => {
  const text = await page(...help, 'json');
  const [, examples = ''] = text.split('\nExamples:\n');
  for (const [flag, names] of members) {
    const [, after = ''] = text.split(`\n${flag} `);
    const [block = ''] = after.split('\n\n');
    for (const name of names) assert.match(block, new RegExp(`^  ${name}\\b`, 'm'));
    assert.ok(examples.includes(`${flag} '`), flag);
  }
});
