// The guard: with --read-only, WM_READ_ONLY or a read-only profile no command sends a change, and nothing overrides it. What
// only reads, signs in or is only shown still works.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { readProfiles, saveProfile, setProfileReadOnly } from '#login/profile.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hooks, lines, taskId } from '#test/support/service/scripted-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';

const service = await serviceForAll();
const person = personForEach();

const readOnly = { WM_READ_ONLY: '1' };
/** The person's profiles. */
const place = {
  get files() {
    return createFiles({ WM_CONFIG_DIR: person.folder }, process.platform);
  },
  lock: createLock(),
};
const found = jsonReply(200, hooks(hook));

/** As a shell would split it, as far as examples go. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** Those that need standard input or a file for their example have another line here. */
const otherLines: Readonly<Record<string, readonly string[]>> = {
  'task update': ['task', 'update', taskId, '--title', 'x'],
  'webhook apply': ['webhook', 'apply', 'hooks.yaml', '--yes'],
  'webhook watch': ['webhook', 'watch', '--once', '--resume-when-healthy'],
};

test('every command that changes the service or a receiver ends before its first request', async () => {
  let checked = 0;
  for (const { words, load } of commands) {
    const { default: command } = await load();
    if (command.changes !== 'the service' && command.changes !== 'a receiver') continue;
    if (command.mayOnlyRead && !otherLines[words]) continue;
    const example = Object.values(command.examples).find((line) => line.startsWith(`wm ${words}`)) ?? '';
    const argv = otherLines[words] ?? wordsOf(example).slice(1);
    const { status, errors, output, requests } = await ask([...argv, '--json'], [found], {
      environment: readOnly,
      input: '{}',
    });
    assert.equal(status, 2, `${words}: ${errors}`);
    assert.equal(JSON.parse(errors).error.code, 'read_only', words);
    assert.match(
      JSON.parse(errors).error.message,
      new RegExp(`^wm ${words} makes changes, so it was not run`),
    );
    assert.deepEqual([output, requests], ['', []], words);
    checked++;
  }
  assert.ok(checked >= 11, String(checked));
});

test('sends reads but not changes, whichever setting makes it read-only', async () => {
  for (const setting of [
    { argv: ['--read-only'], why: '--read-only was given', hint: 'Run it again without --read-only.' },
    {
      environment: readOnly,
      why: 'WM_READ_ONLY is set, which no flag overrides',
      hint: 'To allow changes: unset WM_READ_ONLY',
    },
    {
      argv: ['--no-read-only'],
      environment: readOnly,
      why: 'WM_READ_ONLY is set, which no flag overrides',
      hint: 'To allow changes: unset WM_READ_ONLY',
    },
  ]) {
    const { argv = [], environment = {}, why, hint } = setting;
    const read = await ask([...lines.GET, ...argv], [found], { environment });
    assert.deepEqual([read.status, read.requests.length], [0, 1], read.errors);
    const changed = await ask([...lines.PUT, ...argv], [found], { environment });
    assert.deepEqual([changed.status, changed.requests, changed.output], [2, [], '']);
    assert.equal(
      changed.errors,
      `wm: wm task update makes changes, so it was not run\n  ${why}\n  ${hint}\n`,
    );
  }
});

test('--no-read-only alone does not block changes', async () => {
  const { requests } = await ask([...lines.PUT, '--no-read-only'], [found], { environment: {} });
  assert.ok(requests.some((request) => request.startsWith('PUT ')));
});

test('an empty WM_READ_ONLY is an error, and nothing is sent: it was meant as a guard', async () => {
  const ran = await ask(lines.PUT, [found], { environment: { WM_READ_ONLY: '' } });
  assert.deepEqual([ran.status, ran.requests], [2, []]);
  assert.match(ran.errors, /^wm: WM_READ_ONLY is set but empty\n/);
});

test('--dry-run and --curl still show a change', async () => {
  for (const shown of ['--dry-run', '--curl']) {
    const { status, output, requests } = await ask([...lines.PUT, shown], [found], { environment: readOnly });
    assert.deepEqual([status, requests], [0, []]);
    assert.match(output, /PUT/);
  }
});

test('does not start a bulk run, and leaves no journal', async () => {
  const path = join(person.folder, 'rows.csv');
  await writeFile(path, `id,title\n${taskId},x\n`);
  const { status, requests, output } = await ask(['task', 'update', '--from', path, '--yes'], [found], {
    environment: { ...readOnly, WM_CONFIG_DIR: person.folder },
  });
  assert.deepEqual([status, requests, output], [2, [], '']);
  assert.deepEqual(
    [...(await person.files()).keys()].filter((file) => file.includes('bulk')),
    [],
  );
});

test('watch shows the current state and resumes nothing', async () => {
  const watched = await ask(['webhook', 'watch', '--once'], [found], { environment: readOnly });
  assert.deepEqual([watched.status, watched.requests.length], [0, 1], watched.errors);
});

test('a read-only profile: sign-in, refresh and reads work, changes do not', async () => {
  const signIn = () =>
    person.wm(['login', '--with-token', '--host', service.host], {
      input: secrets.access,
      environment: readOnly,
    });
  await signIn();
  await setProfileReadOnly(place, 'default', true);
  // Another sign-in does not lift it.
  await signIn();
  assert.equal((await readProfiles(place)).profiles[0]?.readOnly, true);

  await person.wm(['whoami']);
  service.calls.length = 0;
  for (const argv of [[], ['--no-read-only']]) {
    const { errors } = await person.wm(['task', 'update', taskId, '--title', 'x', ...argv], { exit: 2 });
    assert.match(errors, /the profile default is read-only, which no flag overrides/);
    assert.match(errors, /To allow changes: wm config set read-only false --profile default\n$/);
  }
  assert.deepEqual(service.calls, []);

  await setProfileReadOnly(place, 'default', false);
  assert.equal((await readProfiles(place)).profiles[0]?.readOnly, undefined);
  const { errors } = await person.wm(['task', 'update', taskId, '--title', 'x'], { exit: 9 });
  // It was sent, and the service of this test has no tasks.
  assert.match(errors, /expected kind tasks, got "contacts"/);
});

test('a profile that does not exist cannot be made read-only; another value in the file is invalid', async () => {
  await assert.rejects(setProfileReadOnly(place, 'work', true), /Profile not found: work/);
  const profile = { name: 'work', host: 'api.example.com', hostSuffixes: [], signedInAt: 1 };
  await saveProfile(place, profile);
  await saveProfile(place, { ...profile, name: 'home' });
  await setProfileReadOnly(place, 'work', true);
  const { profiles } = await readProfiles(place);
  assert.deepEqual(
    new Map(profiles.map((one) => [one.name, one.readOnly])),
    new Map([
      ['home', undefined],
      ['work', true],
    ]),
  );
  await writeFile(
    join(person.folder, 'profiles.json'),
    JSON.stringify({ format: 1, current: 'work', profiles: [{ ...profile, readOnly: 'yes' }] }),
  );
  await assert.rejects(readProfiles(place), /Cannot read/);
});
