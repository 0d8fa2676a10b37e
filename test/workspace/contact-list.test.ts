// `wm contact list`: the service's own filters, ids, and what a pipe gets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { answering } from '../webhooks/records.ts';
import { idsOf } from './rows.ts';

const { ada, ben, bot } = sample;

test('sends each filter to the service, which applies it', async (context) => {
  const { wm, control } = await emulated(context);
  await control(`users/${ben}`, { denied: [] });
  for (const [typed, query, ids] of [
    ['', '', [ada, ben, bot]],
    ['--me', '?me=true', [ada]],
    ['--no-me', '', [ada, ben, bot]],
    ['--email BEN@paper-lantern.example', '?email=BEN%40paper-lantern.example', [ben]],
    ['--name fields', '?name=fields', [ada]],
    ['--type robot', '?type=robot', [bot]],
    ['--active', '?active=true', [ada, ben, bot]],
    ['--no-active', '?active=false', []],
    ['--active --type Person --limit 1', '?type=Person&active=true', [ada]],
  ] as const) {
    const argv = ['contact', 'list', ...typed.split(' ').filter(Boolean)];
    assert.deepEqual(idsOf((await wm(argv, { exit: 0 })).output), ids, typed);
    const shown = await wm([...argv, '--dry-run', '--json']);
    assert.equal(new URL(JSON.parse(shown.output).url).search, query);
  }
});

test('an unknown type is a 400 from the service; an empty result is not an error', async (context) => {
  const { wm } = await emulated(context);
  const unknown = await wm(['contact', 'list', '--type', 'Cat'], { exit: 2 });
  assert.match(unknown.errors, /"Cat" is not one of Person, Group, Robot/);
  const nobody = await wm(['contact', 'list', '--name', 'zzz', '--json']);
  assert.deepEqual([nobody.output, nobody.errors, nobody.status], ['[]\n', 'No contact matches.\n', 0]);
});

test('--id: prints the contacts in the order of the ids; exits with 5 if one is missing', async (context) => {
  const { wm } = await emulated(context);
  const both = await wm(['contact', 'list', '--id', `${bot},${ben}`, '--id', bot]);
  assert.deepEqual([idsOf(both.output), both.errors, both.status], [[bot, ben], '', 0]);
  const json = await wm(['contact', 'list', '--id', ben, '--json']);
  assert.equal(JSON.parse(json.output)[0].firstName, 'Ben');
  const limited = await wm(['contact', 'list', '--id', `${bot},${ben}`, '--limit', '1']);
  assert.deepEqual(idsOf(limited.output), [bot]);
  const missing = await wm(['contact', 'list', '--id', `${ben},KUAANONE`]);
  assert.deepEqual([idsOf(missing.output), missing.status], [[ben], 5]);
  assert.match(
    missing.errors,
    /1 of 2 contacts was not found: KUAANONE\n {2}To list them all: wm contact list\n/,
  );
  const shown = await wm(['contact', 'list', '--id', ben, '--dry-run']);
  assert.match(shown.output, /^GET \S+\/contacts\/KUAABENQ\n/);
});

test('--id with a filter, or an invalid id, is a usage error: nothing is sent', async (context) => {
  const { wm, asked } = await answering(context, {});
  const both = await wm(['contact', 'list', '--id', ben, '--name', 'x']);
  assert.deepEqual([both.status, both.errors.includes('--id and --name cannot be combined')], [2, true]);
  await wm(['contact', 'list', '--id', 'ben'], { exit: 2 });
  assert.deepEqual(asked, []);
});

test('missing fields are empty; marks a deleted user; reads pages up to the limit', async (context) => {
  const { wm, asked } = await answering(context, {
    'GET contacts': [
      {
        kind: 'contacts',
        nextPageToken: 'next',
        data: [
          { id: 'AAAAAAAA', lastName: 'Lovelace', deleted: true, profiles: [{ role: 'User' }, 'odd'] },
          { id: 'BBBBBBBB', firstName: 'B', profiles: [{ email: 'b@x.example' }, { email: 'b@y.example' }] },
        ],
      },
      { kind: 'contacts', data: [{ id: 'CCCCCCCC' }] },
    ],
  });
  const { output } = await wm(['contact', 'list']);
  assert.equal(
    output,
    'AAAAAAAA\tLovelace\t\t\tdeleted\t\nBBBBBBBB\tB\tb@x.example, b@y.example\t\t\t\nCCCCCCCC\t\t\t\t\t\n',
  );
  const before = asked.length;
  await wm(['contact', 'list', '--limit', '2']);
  assert.equal(asked.length - before, 1, 'the second page is not needed');
});

test('the account has no users', async (context) => {
  const { wm } = await answering(context, { 'GET contacts': [{ kind: 'contacts', data: [] }] });
  assert.equal((await wm(['contact', 'list'])).errors, 'No contacts.\n');
});
