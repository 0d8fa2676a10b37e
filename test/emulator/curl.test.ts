// curl sends a request to every endpoint, as in its manual, inside `wm emulator exec`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { accountlessPaths, operations } from '../witness/operations.ts';

const skip =
  process.platform === 'win32' ? 'needs sh' : spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

const json = 'Content-Type: application/json';
const hook = 'hookUrl=https://hooks.example.com/';

/** As the contract's list of endpoints has it; what comes after `curl`, with the token sent; and what the response shows. */
type Line = readonly [endpoint: string, curl: string, shows: string];

/** `$A` is the API, `$T` a task in it, and `$ID` the id in the line before. */
const lines: readonly Line[] = [
  ['PUT /tasks/{taskId}', '-X PUT "$T?title=a+b&importance=High"', '"title":"a b"'],
  ['PUT /tasks/{taskId}', `-G -X PUT $T --data-urlencode 'dates={"due":"2026-05-04"}'`, '"type":"Milestone"'],
  ['PUT /tasks/{taskId}', "-X PUT $T --data-urlencode 'description=<b>é</b>'", '<b>é</b>'],
  ['PUT /tasks/{taskId}', `-X PUT $T -H '${json}' -d '{"follow":false}'`, '"followedByMe":false'],
  ['PUT /tasks/{taskId}', '"$T?method=PUT&title=tunnelled&state=7"', '"state":"7"'],
  ['POST /webhooks', `$A/webhooks -d ${hook}wm -d 'events=[TaskCreated,TaskDeleted]'`, '"kind":"webhooks"'],
  ['PUT /webhooks/{webhookId}', '-X PUT $A/webhooks/$ID -d status=Suspended', '"status":"Suspended"'],
  [
    'GET /webhooks/{webhookId},{webhookId},...',
    '$A/webhooks/$ID',
    '"hookUrl":"https://hooks.example.com/wm"',
  ],
  ['DELETE /webhooks/{webhookId}', '-X DELETE $A/webhooks/$ID', '{"kind":"webhooks","data":[]}'],
  [
    'POST /folders/{folderId}/webhooks',
    '$A/folders/IEAAAAAQI4AB5FLD/webhooks -H Content-Type:text/plain -d hookUrl=x',
    'invalid_request',
  ],
  [
    'POST /folders/{folderId}/webhooks',
    `$A/folders/IEAAAAAQI4AB5FLD/webhooks -d ${hook} -d recursive=true`,
    '"folderId":"IEAAAAAQI4AB5FLD"',
  ],
  [
    'POST /spaces/{spaceId}/webhooks',
    `$A/spaces/IEAAAAAQI5AB5SPC/webhooks -H '${json}' -d '{"hookUrl":"https://hooks.example.com/"}'`,
    '"status":"Active"',
  ],
  ['GET /webhooks', '$A/webhooks', '"status":"Active"'],
  ['GET /contacts', '$A/contacts?me=true', '"firstName":"Ada"'],
  ['GET /account', '$A/account', '"kind":"accounts"'],
  ['GET /customfields', '$A/customfields', '"kind":"customfields"'],
  ['GET /spaces/{spaceId}/customfields', '$A/spaces/IEAAAAAQI5AB5SPC/customfields', '"kind":"customfields"'],
  ['GET /spaces/{spaceId}/workflows', '$A/spaces/IEAAAAAQI5AB5SPC/workflows', '"kind":"workflows"'],
  ['GET /spaces', '$A/spaces', '"kind":"spaces"'],
  ['GET /folders', '$A/folders', '"childIds"'],
  ['GET /audit_log', '$A/audit_log', '"kind":"auditLog"'],
  [
    'POST /batch',
    `$A/batch --data-urlencode 'operations=[{"method":"POST","path":"/folders/IEAAAAAQI4AB5FLD/tasks","parameters":{"title":"x"}}]'`,
    '"kind":"asyncJob"',
  ],
  ['the async job', '$A/async_job/$ID', '"type":"Batch"'],
  ['GET /contacts/{id}', '$A/contacts/KUAABENQ', '"firstName":"Ben"'],
  ['GET /folders/{id}', '$A/folders/IEAAAAAQI4AB5SUB,IEAAAAAQI4AB5FLD', '"title":"Copy"'],
  ['GET /tasks', '$A/tasks', '"kind":"tasks"'],
  ['GET /workflows', '$A/workflows', '"kind":"workflows"'],
  ['GET /groups', '$A/groups', '"kind":"groups"'],
  ['GET /invitations', '$A/invitations', '"kind":"invitations"'],
  ['POST comments', '$T/comments -d text=Hello', '"text":"Hello"'],
  ['GET /comments', '$A/comments?plainText=true', '"text":"Hello"'],
  ['POST timelogs', '$T/timelogs -d hours=1.5 -d trackedDate=2026-05-04', '"hours":1.5'],
  ['GET /timelogs', '$A/timelogs', '"hours":1.5'],
  ['GET /timelog_categories', '$A/timelog_categories', '"kind":"timelogCategories"'],
  ['POST attachments', '$T/attachments -d name=a.pdf', '"name":"a.pdf"'],
  ['GET /attachments', '$A/attachments', '"name":"a.pdf"'],
];

/** Calls that follow each other are one curl, until one needs the id of a response. */
function scriptOf(calls: readonly string[]): string {
  const groups: string[][] = [];
  for (const call of calls) {
    if (call.includes('$ID') || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(`-sS -w '\\n' -H "Authorization: Bearer $WM_TOKEN" ${call}`);
  }
  const curls = groups.map((group) => `call ${group.join(' --next ')}`);
  return `
A="http://$WM_HOST/api/v4"
T="$A/tasks/IEAAAAAQKQAB5BNG"
call() { out=$(curl "$@"); printf '%s\\n' "$out"; ID=\${out##*\\"id\\":\\"}; ID=\${ID%%\\"*}; }
${curls.join('\n')}`;
}

function inside(folder: string, text: string): string[] {
  const ran = spawnSync(resolve('bin/wm.js'), ['emulator', 'exec', '--', 'sh', '-euc', text], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' },
  });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.trimEnd().split('\n');
}

/** Every endpoint of the witness without a line above, which must be one that takes no ids and needs no parameters. */
const others = operations
  .map(({ method, path }): Line => [`${method} ${path}`, `-X ${method} $A${path}`, '"kind":'])
  .filter(([endpoint]) => !lines.some((line) => line[0] === endpoint));
const all = [...lines, ...others];

test('curl calls every endpoint inside wm emulator exec', { skip }, async (t) => {
  const folder = await ownFolder(t);
  // Reading a webhook gives its id again, so that the line after it can use it.
  const answers = inside(folder, scriptOf(all.map(([, curl]) => curl)));
  assert.equal(answers.length, all.length);
  for (const [index, [, curl, shows]] of all.entries()) {
    assert.ok(answers[index]?.includes(shows), `curl ${curl}\n${answers[index]}`);
  }
  for (const path of accountlessPaths)
    assert.ok(
      all.some(([endpoint]) => endpoint.endsWith(` ${path}`)),
      path,
    );
});
