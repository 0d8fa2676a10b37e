// --curl for a body that is longer than any argument may be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskId } from '../client/service.ts';
import { run } from '../program.ts';

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
