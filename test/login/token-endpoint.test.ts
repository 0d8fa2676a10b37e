// What the token endpoint may answer to an exchange besides tokens, and the hosts that it may name: each failure has its
// exit status and its words, tells the browser, keeps nothing, and closes the port.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { isLoopbackHost } from '../../src/login/host.ts';
import { json, tokens } from './auth-service.ts';
import { hostileHosts } from './hostile-hosts.ts';
import type { Person } from './person.ts';
import { nothingIsKept, personForEach, serviceForAll } from './stage.ts';

const service = await serviceForAll();
let person: Person;
personForEach((one) => {
  person = one;
});

const html = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Gateway</h1>');

const endings: readonly {
  readonly name: string;
  readonly exit: number;
  readonly says: RegExp;
  readonly answer: (response: ServerResponse) => void;
}[] = [
  {
    name: 'invalid_grant',
    exit: 4,
    says: /no longer accepts this sign-in\n {2}The code has expired\n/,
    answer: (response) =>
      json(response, 400, { error: 'invalid_grant', error_description: 'The code has expired' }),
  },
  {
    name: 'invalid_client',
    exit: 4,
    says: /does not accept the application\n {2}invalid_client\n.*client secret/,
    answer: (response) => json(response, 401, { error: 'invalid_client' }),
  },
  {
    name: '400 invalid_client',
    exit: 4,
    says: /does not accept the application\n {2}No such client\n/,
    answer: (response) =>
      json(response, 400, { error: 'invalid_client', error_description: 'No such client' }),
  },
  {
    name: 'unauthorized_client',
    exit: 4,
    says: /does not accept the application/,
    answer: (response) => json(response, 400, { error: 'unauthorized_client' }),
  },
  {
    name: '401 without a body',
    exit: 4,
    says: /does not accept the application/,
    answer: (response) => response.writeHead(401).end(),
  },
  { name: '400 with a web page', exit: 4, says: /The token endpoint answered 400/, answer: html(400) },
  { name: '429', exit: 6, says: /answered 429/, answer: html(429) },
  {
    name: '500',
    exit: 7,
    says: /answered 500/,
    answer: (response) => json(response, 500, { error: 'server_error' }),
  },
  { name: '200 with a web page', exit: 1, says: /answered 200/, answer: html(200) },
  {
    name: '302',
    exit: 1,
    says: /a redirect, which is never followed/,
    answer: (response) => response.writeHead(302, { Location: 'https://evil.test/' }).end(),
  },
  {
    name: 'no access token',
    exit: 1,
    says: /without an access token/,
    answer: (response) => json(response, 200, tokens(service.host, { access_token: undefined })),
  },
  {
    name: 'an access token that is a number',
    exit: 1,
    says: /without an access token/,
    answer: (response) => json(response, 200, tokens(service.host, { access_token: 12 })),
  },
  {
    name: 'an empty access token',
    exit: 1,
    says: /without an access token/,
    answer: (response) => json(response, 200, tokens(service.host, { access_token: '' })),
  },
  {
    name: 'no host',
    exit: 1,
    says: /which this sign-in may not lead to/,
    answer: (response) => json(response, 200, tokens(undefined)),
  },
  {
    name: 'a host that is a number',
    exit: 1,
    says: /may not lead to/,
    answer: (response) => json(response, 200, tokens(undefined, { host: 1 })),
  },
  { name: 'a lost answer', exit: 7, says: /The connection broke/, answer: (response) => response.destroy() },
];

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

test('a hostile host is refused through the front door too, with the way out for one that is right', async () => {
  for (const host of hostileHosts
    .filter((one) => !isLoopbackHost(one) && one.length < 200)
    .filter((_, at) => at % 12 === 0)) {
    service.answer = (response) => json(response, 200, tokens(host));
    const ran = await person.login(service);
    assert.equal(ran.status, 1, `${JSON.stringify(host)}: ${ran.errors}`);
    assert.match(ran.errors, /--allow-host/);
    await nothingIsKept(person, service, ran);
  }
});
