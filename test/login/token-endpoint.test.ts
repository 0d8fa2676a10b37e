// What the token endpoint may answer to an exchange besides tokens, and the hosts that it may name: each failure has its
// exit status and its words, tells the browser, keeps nothing, and closes the port.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { nothingIsKept, personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';
import { testHostileSignIn } from './hostile-input.ts';

const service = await serviceForAll();
let person: Person;
personForEach((newPerson) => {
  person = newPerson;
});

const html = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Gateway</h1>');

/** Both are milliseconds from now: when the limit ends, and what the service takes for the present. */
function limitedUntil(response: ServerResponse, end: number, present: number): void {
  const now = Date.now();
  response.setHeader('Date', new Date(now + present).toUTCString());
  response.setHeader('Retry-After', new Date(now + end).toUTCString());
  json(response, 429, { error: 'too_many_requests' });
}

const endings: readonly {
  readonly name: string;
  readonly exit: number;
  readonly says: RegExp;
  readonly answer: (response: ServerResponse) => void;
}[] = [
  {
    name: 'invalid_grant',
    exit: 4,
    says: /rejected the authorization code\n {2}The code has expired\n {2}A code works once, within ten minutes\. Start again: wm login --auth-url /,
    answer: (response) =>
      json(response, 400, { error: 'invalid_grant', error_description: 'The code has expired' }),
  },
  {
    name: 'invalid_client',
    exit: 4,
    says: /rejected the application’s client id or client secret\n {2}invalid_client\n.*client secret.*wm used the secret in WM_CLIENT_SECRET\..* Then: wm login --auth-url /,
    answer: (response) => json(response, 401, { error: 'invalid_client' }),
  },
  {
    name: '400 invalid_client',
    exit: 4,
    says: /rejected the application’s client id or client secret\n {2}No such client\n/,
    answer: (response) =>
      json(response, 400, { error: 'invalid_client', error_description: 'No such client' }),
  },
  {
    name: 'unauthorized_client',
    exit: 4,
    says: /rejected the application’s client id or client secret/,
    answer: (response) => json(response, 400, { error: 'unauthorized_client' }),
  },
  {
    name: '401 without a body',
    exit: 4,
    says: /rejected the application’s client id or client secret/,
    answer: (response) => response.writeHead(401).end(),
  },
  { name: '400 with a web page', exit: 4, says: /The token endpoint responded with 400/, answer: html(400) },
  { name: '429', exit: 6, says: /responded with 429/, answer: html(429) },
  {
    name: '429 with a Retry-After of a year',
    exit: 6,
    says: /the service asks for a wait of 31536000 s\n {2}Wait, then run the command again\./,
    answer: (response) => {
      response.setHeader('Retry-After', '31536000');
      json(response, 429, { error: 'too_many_requests' });
    },
  },
  {
    name: '429 with a Retry-After from a clock that is an hour ahead',
    exit: 6,
    says: /the service asks for a wait of 90 s\n/,
    answer: (response) => limitedUntil(response, 3_690_000, 3_600_000),
  },
  {
    name: '429 with a Retry-After from a clock that is two days ahead',
    exit: 6,
    says: /responded with 429(?![\s\S]*asks for a wait)/,
    answer: (response) => limitedUntil(response, 2 * 86_400_000 + 90_000, 2 * 86_400_000),
  },
  {
    name: '429 with a Retry-After of 0',
    exit: 6,
    says: /responded with 429(?![\s\S]*asks for a wait)/,
    answer: (response) => {
      response.setHeader('Retry-After', '0');
      json(response, 429, { error: 'too_many_requests' });
    },
  },
  {
    name: '500',
    exit: 7,
    says: /responded with 500/,
    answer: (response) => json(response, 500, { error: 'server_error' }),
  },
  { name: '200 with a web page', exit: 1, says: /responded with 200/, answer: html(200) },
  {
    name: '200 with 100,000 levels of JSON',
    exit: 1,
    says: /responded with 200\n {2}the body is nested more than 64 levels deep\n/,
    answer: (response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(`{"access_token":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  },
  {
    name: '302',
    exit: 1,
    says: /a redirect, which wm never follows/,
    answer: (response) => response.writeHead(302, { Location: 'https://evil.test/' }).end(),
  },
  {
    name: 'no access token',
    exit: 1,
    says: /contains no access token/,
    answer: (response) => json(response, 200, tokens(service.host, { access_token: undefined })),
  },
  {
    name: 'an access token that is a number',
    exit: 1,
    says: /contains no access token/,
    answer: (response) => json(response, 200, tokens(service.host, { access_token: 12 })),
  },
  {
    name: 'an empty access token',
    exit: 1,
    says: /contains no access token/,
    answer: (response) => json(response, 200, tokens(service.host, { access_token: '' })),
  },
  {
    name: 'no host',
    exit: 1,
    says: /The token response names no host\n(?!.*--allow-host)/,
    answer: (response) => json(response, 200, tokens(undefined)),
  },
  {
    name: 'a host that is a number',
    exit: 1,
    says: /The token response names no host\n/,
    answer: (response) => json(response, 200, tokens(undefined, { host: 1 })),
  },
  {
    name: 'a lost answer',
    exit: 7,
    says: /The connection was broken/,
    answer: (response) => response.destroy(),
  },
];

test('complete tokens are used even if the response broke off: the code works only once', async () => {
  service.answer = (response) => {
    const body = JSON.stringify(tokens(service.host));
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`);
  };
  const ran = await person.login(service, '--verbose');
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^The response of the token endpoint broke off \(.*; its JSON is complete/m);
  assert.equal(service.exchanges.length, 1);
});

for (const { name, exit, says, answer } of endings) {
  test(`the token endpoint, ${name}: exit ${exit}`, async () => {
    service.answer = answer;
    const ran = await person.login(service, '--verbose');
    assert.equal(ran.status, exit, ran.errors);
    assert.match(ran.errors, says);
    assert.equal(service.exchanges.length, 1, 'a code is good for one use, and not sent again');
    assert.match((await person.pages[0])?.text ?? '', /<h1>Not signed in<\/h1>/);
    await nothingIsKept(person, service, ran);
  });
}

testHostileSignIn(service, () => person, 60);

test('prints the command that allows a host, and it works as printed', async () => {
  service.answer = (response) => json(response, 200, tokens('api.example.com'));
  const ran = await person.login(service, '--scope', 'wsReadOnly', '--profile', 'work');
  assert.equal(ran.status, 1, ran.errors);
  const words = printedCommand(ran.errors, 'allow it: ');
  assert.deepEqual(words, [
    'login',
    '--profile',
    'work',
    '--auth-url',
    service.url,
    '--client-id',
    'app é',
    '--scope',
    'wsReadOnly',
    '--allow-host',
    'api.example.com',
  ]);
  // The API is elsewhere then, which is the next thing that fails: the sign-in itself is stored.
  const again = await person.wm(words, {
    environment: { WM_CLIENT_SECRET: secrets.clientSecret },
    world: { http: apiAt(service.host) },
  });
  assert.equal(again.status, 0, again.errors);
  assert.equal((await person.item('work')).host, 'api.example.com');
});

test('prints the command that starts over, and it works as printed, whatever the code was rejected for', async () => {
  service.answer = (response) => json(response, 400, { error: 'invalid_grant' });
  const ran = await person.login(service);
  assert.equal(ran.status, 4, ran.errors);
  service.answer = (response) => json(response, 200, tokens(service.host));
  const environment = { WM_CLIENT_SECRET: secrets.clientSecret };
  const again = await person.wm(printedCommand(ran.errors, 'Start again: '), { environment });
  assert.equal(again.status, 0, again.errors);
});

test('a stored secret that is wrong by now: the hint for giving another works', async () => {
  service.answer = (response) => json(response, 200, tokens(service.host));
  assert.equal((await person.login(service)).status, 0);
  service.answer = (response, { body }) =>
    body.includes('client_secret=canary-new')
      ? json(response, 200, tokens(service.host))
      : json(response, 401, { error: 'invalid_client' });
  const ran = await person.wm(['login']);
  assert.equal(ran.status, 4, ran.errors);
  assert.match(
    ran.errors,
    /wm used the secret of the last sign-in; to use another, set WM_CLIENT_SECRET\. Then: /,
  );
  const environment = { WM_CLIENT_SECRET: 'canary-new' };
  const again = await person.wm(printedCommand(ran.errors, 'Then: '), { environment });
  assert.equal(again.status, 0, again.errors);
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
