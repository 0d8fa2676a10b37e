// A file of very many webhooks, which takes seconds.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';

test('diff and apply read what export writes for 16,000 webhooks, as YAML and as JSON', async (t) => {
  const data = Array.from({ length: 16_000 }, (_, index) => ({
    id: `IEAAAAAQJ${String(index).padStart(7, '0')}`,
    hookUrl: `https://hooks.example.com/an/integration/of/a/customer/${index}`,
    status: 'Active',
  }));
  const server = await startRawServer(() => jsonReply(200, { kind: 'webhooks', data }));
  t.after(() => server.close());
  const folder = await ownFolder(t);
  const environment = { WM_HOST: server.host, WM_TOKEN: 'token-of-a-test', WM_CONFIG_DIR: folder };
  for (const [flags, argv] of [
    [[], ['diff', join(folder, 'hooks')]],
    [['--json'], ['apply', '-', '--yes']],
  ] as const) {
    const exported = await run(['webhook', 'export', ...flags], { environment });
    assert.equal(exported.status, 0, exported.errors);
    assert.ok(exported.output.length > 2 * 1024 * 1024);
    await writeFile(join(folder, 'hooks'), exported.output);
    const ran = await run(['webhook', ...argv, '-q'], { environment, input: exported.output });
    assert.equal(ran.status, 0, ran.errors);
  }
});
