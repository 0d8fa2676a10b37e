// What the token endpoint may answer to an exchange besides tokens, and the hosts that it may name: each failure has its
// exit status and its words, tells the browser, keeps nothing, and closes the port.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { nothingIsKept, personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';
import { testHostileSignIn } from './hostile-input.ts';

const service = await serviceForAll();
const person = personForEach();

type Answer = (response: ServerResponse) => void;
const html =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Gateway</h1>');
const error =
  (status: number, code: string, description?: string): Answer =>
  (response) =>
    json(response, status, { error: code, error_description: description });
const tokensWith =
  (more: object): Answer =>
  (response) =>
    json(response, 200, tokens(service.host, more));
const limited =
  (headers: Readonly<Record<string, string>>): Answer =>
  (response) => {
    response.setHeaders(new Headers(headers));
    json(response, 429, { error: 'too_many_requests' });
  };

/** Both are milliseconds from now: when the limit ends, and what the service takes for the present. */
const limitedUntil =
  (end: number, present: number): Answer =>
  (response) => {
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString();
    limited({ Date: at(present), 'Retry-After': at(end) })(response);
  };

const rejected = /rejected the application’s client id or client secret\n/;
const secretHint =
  /rejected the application’s client id or client secret\n {2}invalid_client\n.*client secret.*wm used the secret in WM_CLIENT_SECRET\..* Then: wm login --auth-url /;
const codeHint =
  /rejected the authorization code\n {2}Too old\n {2}A code works once, within ten minutes\. Start again: wm login --auth-url /;
const noWait = /responded with 429(?![\s\S]*asks for a wait)/;
const deep = `{"access_token":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

const endings: readonly (readonly [name: string, exit: number, says: RegExp, answer: Answer])[] = [
  ['invalid_grant', 4, codeHint, error(400, 'invalid_grant', 'Too old')],
  ['invalid_client', 4, secretHint, error(401, 'invalid_client')],
  [
    '400 invalid_client',
    4,
    /client secret\n {2}No such client\n/,
    error(400, 'invalid_client', 'No such client'),
  ],
  ['unauthorized_client', 4, rejected, error(400, 'unauthorized_client')],
  ['401 without a body', 4, rejected, (response) => response.writeHead(401).end()],
  ['400 with a web page', 4, /The token endpoint responded with 400/, html(400)],
  ['429', 6, /responded with 429/, html(429)],
  [
    '429 with a Retry-After of a year',
    6,
    /the service asks for a wait of 31536000 s\n {2}Wait, then run the command again\./,
    limited({ 'Retry-After': '31536000' }),
  ],
  [
    '429 with a Retry-After from a clock that is an hour ahead',
    6,
    /the service asks for a wait of 90 s\n/,
    limitedUntil(3_690_000, 3_600_000),
  ],
  [
    '429 with a Retry-After from a clock that is two days ahead',
    6,
    noWait,
    limitedUntil(2 * 86_400_000 + 90_000, 2 * 86_400_000),
  ],
  ['429 with a Retry-After of 0', 6, noWait, limited({ 'Retry-After': '0' })],
  ['500', 7, /responded with 500/, error(500, 'server_error')],
  ['200 with a web page', 1, /responded with 200/, html(200)],
  [
    '200 with 100,000 levels of JSON',
    1,
    /responded with 200\n {2}the body is nested more than 64 levels deep\n/,
    (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(deep),
  ],
  [
    '302',
    1,
    /a redirect, which wm never follows/,
    (response) => response.writeHead(302, { Location: 'https://evil.test/' }).end(),
  ],
  [
    '200 with invalid_grant',
    4,
    /\n {2}The code has expired\n/,
    error(200, 'invalid_grant', 'The code has expired'),
  ],
  ['200 with another error', 1, /contains no access token\n {2}Not now\n/, error(200, 'x', 'Not now')],
  ['no access token', 1, /contains no access token/, tokensWith({ access_token: undefined })],
  ['an access token that is a number', 1, /contains no access token/, tokensWith({ access_token: 12 })],
  ['an empty access token', 1, /contains no access token/, tokensWith({ access_token: '' })],
  ['no host', 1, /The token response names no host\n(?!.*--allow-host)/, tokensWith({ host: undefined })],
  ['a host that is a number', 1, /The token response names no host\n/, tokensWith({ host: 1 })],
  ['a lost answer', 7, /The connection was broken/, (response) => response.destroy()],
];

test('complete tokens are used even if the response broke off: the code works only once', async () => {
  service.answer = (response) => {
    const body = JSON.stringify(tokens(service.host));
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`);
  };
  const ran = await person.login(service, '--verbose');
  assert.match(ran.errors, /^The response of the token endpoint broke off \(.*; its JSON is complete/m);
  assert.equal(service.exchanges.length, 1);
});

for (const [name, exit, says, answer] of endings) {
  test(`the token endpoint, ${name}: exit ${exit}`, async () => {
    service.answer = answer;
    const ran = await person.loginEnds(exit, service, '--verbose');
    assert.match(ran.errors, says);
    assert.equal(service.exchanges.length, 1, 'a code is good for one use, and not sent again');
    assert.match((await person.pages[0])?.text ?? '', /<h1>Not signed in<\/h1>/);
    await nothingIsKept(person, service, ran);
  });
}

testHostileSignIn(service, person, 60);

test('prints the command that allows a host, and it works as printed', async () => {
  service.answer = (response) => json(response, 200, tokens('api.example.com'));
  const ran = await person.loginEnds(1, service, '--scope', 'wsReadOnly', '--profile', 'work');
  const words = printedCommand(ran.errors, 'allow it: ');
  assert.deepEqual(words, [
    ...['login', '--profile', 'work', '--auth-url', service.url, '--client-id', 'app é'],
    ...['--scope', 'wsReadOnly', '--allow-host', 'api.example.com'],
  ]);
  // The API is elsewhere then, which is the next thing that fails: the sign-in itself is stored.
  await person.wm(words, {
    environment: { WM_CLIENT_SECRET: secrets.clientSecret },
    world: { http: apiAt(service.host) },
  });
  assert.equal((await person.item('work')).host, 'api.example.com');
});

test('prints the command that starts over, and it works as printed, whatever the code was rejected for', async () => {
  service.answer = (response) => json(response, 400, { error: 'invalid_grant' });
  const ran = await person.loginEnds(4, service);
  service.answer = (response) => json(response, 200, tokens(service.host));
  const environment = { WM_CLIENT_SECRET: secrets.clientSecret };
  await person.wm(printedCommand(ran.errors, 'Start again: '), { environment });
});

test('a stored secret that is wrong by now: the hint for giving another works', async () => {
  await person.login(service);
  service.answer = (response, { body }) =>
    body.includes('client_secret=canary-new')
      ? json(response, 200, tokens(service.host))
      : json(response, 401, { error: 'invalid_client' });
  const ran = await person.wm(['login'], { exit: 4 });
  assert.match(
    ran.errors,
    /wm used the secret of the last sign-in; to use another, set WM_CLIENT_SECRET\. Then: /,
  );
  const environment = { WM_CLIENT_SECRET: 'canary-new' };
  await person.wm(printedCommand(ran.errors, 'Then: '), { environment });
});

/** The network, with the service standing for a host that there is none of. */
function apiAt(host: string): Http {
  const http = createHttp({});
  return {
    send: (request, options) =>
      http.send(
        { ...request, url: request.url.replace('https://api.example.com', `http://${host}`) },
        options,
      ),
  };
}
