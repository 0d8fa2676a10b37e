// The hints for invalid dates work as printed: each is followed to the letter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const dry = (...more: string[]) =>
  run(['task', 'update', 'IEAAAAAQKQAB5BNG', ...more, '--dry-run', '--json'], { environment });

const start = ['--start', '2026-12-01'] as const;
const due = ['--due', '2026-12-04'] as const;
const duration = ['--duration', '2d'] as const;
const planned = [
  [...start, ...due],
  [...start, ...duration],
];

const rows: readonly [
  argv: readonly string[],
  says: readonly string[],
  next: readonly (readonly string[])[],
][] = [
  [start, ['--due or --duration'], planned],
  [
    ['--milestone', ...start, ...due],
    ['only a due date (--due DATE --milestone)', '--start with --due or --duration', 'without'],
    [[...due, '--milestone'], ...planned],
  ],
  [
    ['--milestone', ...start, ...duration],
    ['--due DATE --milestone', '--start with --due or --duration'],
    [[...due, '--milestone'], ...planned],
  ],
  [
    ['--backlog', ...start, ...due],
    ['a backlog task has no dates', '--start with --due or --duration'],
    [['--backlog'], ...planned],
  ],
  [
    ['--backlog', ...due],
    ['leave out --due', '--start with --due or --duration', 'without --backlog'],
    [['--backlog'], ...planned],
  ],
  [['--backlog', ...due, ...duration], ['leave out --due'], [['--backlog', ...duration], ...planned]],
  [
    ['--milestone', ...due, ...duration],
    ['leave out --duration', '--start with --due or --duration', 'without --milestone'],
    [['--milestone', ...due], ...planned],
  ],
  [
    ['--dates', '{"type":"Milestone","due":"2026-12-04","duration":480}'],
    ['leave out --duration'],
    [['--dates', '{"type":"Milestone","due":"2026-12-04"}'], ...planned],
  ],
  [
    ['--start', '2026-12-04', '--due', '2026-12-01'],
    ['Swap the two', '--due on or after the start'],
    [
      [...start, ...due],
      ['--start', '2026-12-04', '--due', '2026-12-04'],
    ],
  ],
  [
    [...start, '--duration', '0'],
    ['--due with --start', '--duration of at least 1 minute'],
    [
      [...start, ...due],
      [...start, '--duration', '1'],
    ],
  ],
];

for (const [argv, says, next] of rows) {
  test(`${argv.join(' ')}: the suggestions are valid`, async () => {
    const ran = await dry(...argv);
    assert.equal(ran.status, 2, ran.output);
    const { hint } = JSON.parse(ran.errors).error;
    for (const one of says) assert.ok(hint.includes(one), `${one} in ${hint}`);
    for (const one of next) {
      const again = await dry(...one);
      assert.equal(again.status, 0, `${one.join(' ')}: ${again.errors}`);
    }
  });
}

test('does not send an update without changes, in whatever form', async () => {
  for (const argv of [
    ['--dates', '{}'],
    ['--add-parents', '[]'],
    ['--remove-shareds', '[]', '--metadata', '[]', '--fields', 'billingType'],
    ['--custom-fields', '[]', '--dates', '{}'],
  ]) {
    const ran = await dry(...argv);
    assert.equal(ran.status, 2, ran.output);
    assert.match(ran.errors, /changes nothing/);
  }
  // With a change beside it, and where empty takes the place of what was there, it is sent as it was said.
  for (const argv of [
    ['--title', 'x', '--add-parents', '[]'],
    ['--set-responsible-allocation', '[]'],
    ['--no-work-on-weekends'],
    ['--restore=false'],
  ]) {
    assert.equal((await dry(...argv)).status, 0, argv.join(' '));
  }
});
