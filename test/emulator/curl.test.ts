// curl sends a request to every endpoint, as in its manual, inside `wm emulator exec`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { accountlessPaths, operations } from '../witness/operations.ts';

const skip =
  process.platform === 'win32' ? 'needs sh' : spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

interface Line {
  /** As the contract's list of endpoints has it. */
  readonly endpoint: string;
  /** After `curl`, with the token sent. `$A` is the API, `$ID` the id in the line before. */
  readonly curl: string;
  readonly shows: string;
}

const task = 'IEAAAAAQKQAB5BNG';
const lines: readonly Line[] = [
  {
    endpoint: 'PUT /tasks/{taskId}',
    curl: `-X PUT "$A/tasks/${task}?title=a+b&importance=High"`,
    shows: '"title":"a b"',
  },
  {
    endpoint: 'PUT /tasks/{taskId}',
    curl: `-G -X PUT "$A/tasks/${task}" --data-urlencode 'dates={"due":"2026-05-04"}'`,
    shows: '"type":"Milestone"',
  },
  {
    endpoint: 'PUT /tasks/{taskId}',
    curl: `-X PUT "$A/tasks/${task}" --data-urlencode 'description=<b>é</b>'`,
    shows: '<b>é</b>',
  },
  {
    endpoint: 'PUT /tasks/{taskId}',
    curl: `-X PUT "$A/tasks/${task}" -H 'Content-Type: application/json' -d '{"follow":false}'`,
    shows: '"followedByMe":false',
  },
  {
    endpoint: 'PUT /tasks/{taskId}',
    curl: `"$A/tasks/${task}?method=PUT&title=tunnelled&state=7"`,
    shows: '"state":"7"',
  },
  {
    endpoint: 'POST /webhooks',
    curl: `"$A/webhooks" -d hookUrl=https://hooks.example.com/wm -d 'events=[TaskCreated,TaskDeleted]'`,
    shows: '"kind":"webhooks"',
  },
  {
    endpoint: 'PUT /webhooks/{webhookId}',
    curl: '-X PUT "$A/webhooks/$ID" -d status=Suspended',
    shows: '"status":"Suspended"',
  },
  {
    endpoint: 'GET /webhooks/{webhookId},{webhookId},...',
    curl: '"$A/webhooks/$ID"',
    shows: '"hookUrl":"https://hooks.example.com/wm"',
  },
  {
    endpoint: 'DELETE /webhooks/{webhookId}',
    curl: '-X DELETE "$A/webhooks/$ID"',
    shows: '{"kind":"webhooks","data":[]}',
  },
  {
    endpoint: 'POST /folders/{folderId}/webhooks',
    curl: '"$A/folders/IEAAAAAQI4AB5FLD/webhooks" -H Content-Type:text/plain -d hookUrl=x',
    shows: 'invalid_request',
  },
  {
    endpoint: 'POST /folders/{folderId}/webhooks',
    curl: '"$A/folders/IEAAAAAQI4AB5FLD/webhooks" -d hookUrl=https://hooks.example.com/ -d recursive=true',
    shows: '"folderId":"IEAAAAAQI4AB5FLD"',
  },
  {
    endpoint: 'POST /spaces/{spaceId}/webhooks',
    curl: `"$A/spaces/IEAAAAAQI5AB5SPC/webhooks" -H 'Content-Type: application/json' -d '{"hookUrl":"https://hooks.example.com/"}'`,
    shows: '"status":"Active"',
  },
  { endpoint: 'GET /webhooks', curl: '"$A/webhooks"', shows: '"status":"Active"' },
  { endpoint: 'GET /contacts', curl: '"$A/contacts?me=true"', shows: '"firstName":"Ada"' },
  { endpoint: 'GET /account', curl: '"$A/account"', shows: '"kind":"accounts"' },
  { endpoint: 'GET /customfields', curl: '"$A/customfields"', shows: '"kind":"customfields"' },
  {
    endpoint: 'GET /spaces/{spaceId}/customfields',
    curl: '"$A/spaces/IEAAAAAQI5AB5SPC/customfields"',
    shows: '"kind":"customfields"',
  },
  {
    endpoint: 'GET /spaces/{spaceId}/workflows',
    curl: '"$A/spaces/IEAAAAAQI5AB5SPC/workflows"',
    shows: '"kind":"workflows"',
  },
  { endpoint: 'GET /spaces', curl: '"$A/spaces"', shows: '"kind":"spaces"' },
  { endpoint: 'GET /folders', curl: '"$A/folders"', shows: '"childIds"' },
  { endpoint: 'GET /audit_log', curl: '"$A/audit_log"', shows: '"kind":"auditLog"' },
  {
    endpoint: 'POST /batch',
    curl: `"$A/batch" --data-urlencode 'operations=[{"method":"POST","path":"/folders/IEAAAAAQI4AB5FLD/tasks","parameters":{"title":"x"}}]'`,
    shows: '"kind":"asyncJob"',
  },
  { endpoint: 'the async job', curl: '"$A/async_job/$ID"', shows: '"type":"Batch"' },
  { endpoint: 'GET /contacts/{id}', curl: '"$A/contacts/KUAABENQ"', shows: '"firstName":"Ben"' },
  {
    endpoint: 'GET /folders/{id}',
    curl: '"$A/folders/IEAAAAAQI4AB5SUB,IEAAAAAQI4AB5FLD"',
    shows: '"title":"Copy"',
  },
  { endpoint: 'GET /tasks', curl: '"$A/tasks"', shows: '"kind":"tasks"' },
  { endpoint: 'GET /workflows', curl: '"$A/workflows"', shows: '"kind":"workflows"' },
  { endpoint: 'GET /groups', curl: '"$A/groups"', shows: '"kind":"groups"' },
  { endpoint: 'GET /invitations', curl: '"$A/invitations"', shows: '"kind":"invitations"' },
  { endpoint: 'POST comments', curl: `"$A/tasks/${task}/comments" -d text=Hello`, shows: '"text":"Hello"' },
  { endpoint: 'GET /comments', curl: '"$A/comments?plainText=true"', shows: '"text":"Hello"' },
  {
    endpoint: 'POST timelogs',
    curl: `"$A/tasks/${task}/timelogs" -d hours=1.5 -d trackedDate=2026-05-04`,
    shows: '"hours":1.5',
  },
  { endpoint: 'GET /timelogs', curl: '"$A/timelogs"', shows: '"hours":1.5' },
  {
    endpoint: 'GET /timelog_categories',
    curl: '"$A/timelog_categories"',
    shows: '"kind":"timelogCategories"',
  },
  {
    endpoint: 'POST attachments',
    curl: `"$A/tasks/${task}/attachments" -d name=a.pdf`,
    shows: '"name":"a.pdf"',
  },
  { endpoint: 'GET /attachments', curl: '"$A/attachments"', shows: '"name":"a.pdf"' },
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
const others: readonly Line[] = operations
  .map(({ method, path }) => ({
    endpoint: `${method} ${path}`,
    curl: `-X ${method} "$A${path}"`,
    shows: '"kind":',
  }))
  .filter(({ endpoint }) => !lines.some((line) => line.endpoint === endpoint));
const all = [...lines, ...others];

test('curl calls every endpoint inside wm emulator exec', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-curl-'));
  t.after(() => rm(folder, { recursive: true }));
  // Reading a webhook gives its id again, so that the line after it can use it.
  const answers = inside(folder, scriptOf(all.map(({ curl }) => curl)));
  assert.equal(answers.length, all.length);
  for (const [index, { curl, shows }] of all.entries()) {
    assert.ok(answers[index]?.includes(shows), `curl ${curl}\n${answers[index]}`);
  }
  const called = all.map(({ endpoint }) => endpoint);
  for (const path of accountlessPaths) {
    assert.ok(
      called.some(
        (endpoint) => endpoint.endsWith(` ${path}`) || (path === '/tasks' && endpoint === 'GET /tasks'),
      ),
      path,
    );
  }
});

test('curl signs in with the form, and refreshes with HTTP Basic', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-curl-'));
  t.after(() => rm(folder, { recursive: true }));
  const [code, exchanged, renewed, converted] = inside(
    folder,
    `
R=http://127.0.0.1:9/callback
ticket=$(curl -sS -G "$WM_AUTH_URL/oauth2/authorize/v4" -d client_id=$WM_CLIENT_ID -d response_type=code -d redirect_uri=$R -d state=s |
  sed -n 's/.*name="ticket" value="\\([^"]*\\)".*/\\1/p')
location=$(curl -sS -o /dev/null -w '%{redirect_url}' "$WM_AUTH_URL/oauth2/authorize/v4" -d ticket=$ticket -d decision=allow -d user=KUAAADAQ)
echo "$location"
code=$(printf '%s' "$location" | sed 's/.*code=\\([^&]*\\).*/\\1/')
got=$(curl -sS "$WM_AUTH_URL/oauth2/token" -d client_id=$WM_CLIENT_ID -d client_secret=$WM_CLIENT_SECRET -d grant_type=authorization_code -d code=$code -d redirect_uri=$R)
echo "$got"
refresh=$(printf '%s' "$got" | sed 's/.*"refresh_token":"\\([^"]*\\)".*/\\1/')
curl -sS "$WM_AUTH_URL/oauth2/token" -u "$WM_CLIENT_ID:$WM_CLIENT_SECRET" -d grant_type=refresh_token -d refresh_token=$refresh; echo
old=$(curl -sS "$WM_EMULATOR_URL/_emulator/tokens" | sed 's/.*"version3Refresh","token":"\\([^"]*\\)".*/\\1/')
curl -sS "$WM_AUTH_URL/oauth2/convert_v3_token" -d accountId=IEAAAAAQ -d refresh_token=$old; echo
`,
  );
  assert.match(code ?? '', /^http:\/\/127\.0\.0\.1:9\/callback\?code=[^&]+&state=s$/);
  for (const response of [exchanged, renewed, converted]) {
    assert.match(
      response ?? '',
      /^\{"access_token":"[^"]+","refresh_token":"[^"]+","token_type":"bearer","expires_in":3600,"host":"127\.0\.0\.1:\d+"\}$/,
    );
  }
});
