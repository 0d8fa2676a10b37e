// What the demo does with the consent page: it sends the form as a browser would, and says what is wrong with a page on
// which it cannot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { startRawServer } from '#test/support/service/raw-server.ts';
import { answer, firstLine } from '#test/support/service/scripted-service.ts';
import { processOf } from './processes.ts';

const button = '<button type="submit" name="decision" value="allow"> Allow </button>';
const redirected = (to: string) => answer(302, [`Location: ${to}`]);

/** Runs the demo, whose sign-in prints the address of such a page. It ends once the callback is asked, or is killed. */
async function demo(pages: (request: string, host: string) => string) {
  let end = (_status: number) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const killed: string[] = [];
  const server = await startRawServer((request) => {
    if (request.startsWith('GET /callback')) end(9);
    return pages(request, server.host);
  });
  const process = processOf((_, { onErrors }) => {
    queueMicrotask(() => onErrors?.(`Open this address:\n  http://${server.host}/page?x=1\n`));
    const kill = (signal: string) => {
      killed.push(signal);
      end(143);
    };
    const nothing = () => {};
    const started = Promise.resolve();
    return { started, ended, exited: ended, pid: () => undefined, detach: nothing, release: nothing, kill };
  });
  try {
    const ran = await run(['demo'], { world: { process } });
    return { ...ran, killed, requests: server.requests };
  } finally {
    await server.close();
  }
}

for (const [what, form, line, body] of [
  [
    'its hidden fields and what is chosen',
    `<form method="post" action="/allow?a=1&amp;b=2"><input type="hidden" name="ticket" value="a&amp;b &lt;&quot;&gt;&amp;lt;é">
     <input type="radio" name="user" value="U1"> <input type="radio" name="user" value="U2" checked>${button}</form>`,
    'POST /allow?a=1&b=2 HTTP/1.1',
    'ticket=a%26b%20%3C%22%3E%26lt%3B%C3%A9&user=U2&decision=allow',
  ],
  [
    'a form without an action goes to its page, and a field without a value is empty',
    `<form method="post"><input type="hidden" name="empty">${button}</form>`,
    'POST /page?x=1 HTTP/1.1',
    'empty=&decision=allow',
  ],
] as const) {
  test(`${what}: submitted, and the callback is requested`, async () => {
    const { requests, killed, errors } = await demo((request, host) =>
      request.startsWith('POST') ? redirected(`http://${host}/callback?code=c`) : answer(200, [], form),
    );
    assert.deepEqual(requests.map(firstLine), [
      'GET /page?x=1 HTTP/1.1',
      line,
      'GET /callback?code=c HTTP/1.1',
    ]);
    assert.equal(requests[1]?.split('\r\n\r\n')[1], body);
    assert.match(requests[1] ?? '', /\r\ncontent-type: application\/x-www-form-urlencoded\r\n/i);
    assert.deepEqual(killed, []);
    assert.match(errors, /exited with status 9\n/);
  });
}

for (const [what, page, message] of [
  ['no form', answer(404, [], button), 'The consent page has no Allow button (status 404)'],
  [
    'no button',
    answer(200, [], '<form action="/allow"><button>Deny</button></form>'),
    'The consent page has no Allow button (status 200)',
  ],
  [
    'a form that leads nowhere',
    answer(200, [], `<form action="/allow">${button}</form>`),
    'The consent page responded with 200',
  ],
] as const) {
  test(`a page with ${what}: ends the sign-in, and the demo says why`, async () => {
    const { status, errors, killed } = await demo(() => page);
    assert.equal(errors, `wm: ${message}\n`);
    assert.deepEqual([status, killed], [1, ['SIGTERM']]);
  });
}
