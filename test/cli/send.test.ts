// What --curl and --dry-run print: a body that is longer than any argument may be, and the token that the request would have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { signedOut } from '#test/support/program/signed-out.ts';
import { taskId } from '#test/support/service/scripted-service.ts';

const before = `curl --fail-with-body -sS \\
  -X PUT \\
  'https://api.example.com/api/v4/tasks/${taskId}' \\
  -H "Authorization: Bearer $WM_TOKEN"`;

for (const [length, after] of [
  [100_000, (body: string) => ` \\\n  --data-raw '${body}'\n`],
  [100_001, (body: string) => ` \\\n  --data @- <<'END'\n${body}\nEND\n`],
] as const) {
  test(`a body of ${length} characters`, async () => {
    const name = 'description=';
    const description = 'x'.repeat(length - name.length);
    const { status, output, errors } = await run(['task', 'update', taskId, '--description', '-', '--curl'], {
      environment: { WM_TOKEN: 'canary-token', WM_HOST: 'api.example.com' },
      input: description,
    });
    assert.deepEqual([status, errors], [0, '']);
    assert.equal(output.slice(0, before.length), before);
    assert.equal(output.slice(before.length), after(name + description));
  });
}

test('--dry-run prints a shell expression for the token in use: of the profile, or WM_TOKEN', async (context) => {
  const { wm, signIn } = await signedOut(context);
  const show = async (...more: readonly string[]) => (await wm(['account', '--dry-run', ...more])).output;
  assert.match(await show(), /^Authorization: Bearer \$WM_TOKEN$/m);
  await signIn('login', '--profile', 'work');
  const expected = 'Bearer $(wm auth token --profile work)';
  for (const more of [[], ['--profile', 'work']]) {
    assert.ok((await show(...more)).includes(`Authorization: ${expected}\n`), await show(...more));
    assert.equal(JSON.parse(await show('--json', ...more)).headers.Authorization, expected);
  }
});
