// The service's errors: which exit status each one is, what is said of it, and that its text does nothing to a terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { answer, ask, hook, hooks, lines } from '#test/support/service/scripted-service.ts';
import { errors, errorsWithoutStatus, exitStatuses } from '../witness/errors.ts';

const exitOf = new Map(exitStatuses.map(({ status, exit }) => [status, exit]));

for (const { status, error } of errors) {
  test(`${status} ${error}: its exit status and the service's own words`, async () => {
    const reply = jsonReply(status, { error, errorDescription: 'The service says so' });
    const asked = await ask(lines.GET, [reply]);
    assert.equal(asked.status, exitOf.get(status));
    assert.equal(asked.output, '');
    assert.ok(
      asked.errors.startsWith(`wm: The service responded with ${status} ${error}\n  The service says so\n`),
      asked.errors,
    );
  });

  test(`${status} ${error} with --json`, async () => {
    const reply = jsonReply(status, { error, errorDescription: 'The service says so', more: 1 });
    const asked = await ask([...lines.GET, '--json'], [reply]);
    assert.equal(asked.status, exitOf.get(status));
    const reported = JSON.parse(asked.errors);
    assert.equal(reported.error.code, error);
    assert.equal(reported.error.httpStatus, status);
    assert.equal(
      reported.error.message,
      `The service responded with ${status} ${error}: The service says so`,
    );
  });
}

for (const { status } of exitStatuses) {
  test(`${status} without a body, with a web page, a bare text or foreign JSON: not the service's`, async () => {
    const bodies = [
      answer(status, []),
      answer(status, ['Content-Type: text/html'], '<h1>secret of the proxy</h1>'),
      jsonReply(status, '"server_error"'),
      jsonReply(status, { message: 'no Route matched with those values' }),
      jsonReply(status, { error: 'resource_not_found' }),
      jsonReply(status, { error: { a: 1 }, errorDescription: ['x'] }),
    ];
    for (const reply of status === 429 ? [] : bodies) {
      const read = await ask(lines.GET, [reply]);
      assert.equal(read.status, status === 500 ? 7 : 1, read.errors);
      assert.match(
        read.errors,
        new RegExp(`^wm: A proxy, not the service, may have responded with ${status}\n`),
      );
      assert.match(read.errors, /To check the connection: wm doctor\n/);
      for (const line of [lines.PUT, lines.POST, lines.DELETE]) {
        const change = await ask(line, [reply]);
        assert.equal(change.status, 9, change.errors);
        assert.doesNotMatch(
          change.errors,
          /secret of the proxy|nothing was changed|Check the id|administrator/i,
        );
      }
    }
  });
}

test('status codes that the contract does not document', async () => {
  for (const [status, exit] of [
    [402, 1],
    [405, 1],
    [408, 7],
    [409, 1],
    [502, 7],
    [503, 7],
    [504, 7],
  ] as const) {
    assert.equal((await ask(lines.GET, [answer(status, [])])).status, exit, `${status}`);
  }
});

test('shows an unknown error code of a newer service unchanged', async () => {
  const reply = jsonReply(403, { error: 'seat_required', errorDescription: 'No seat' });
  const asked = await ask([...lines.GET, '--json'], [reply]);
  assert.equal(asked.status, 3);
  assert.equal(JSON.parse(asked.errors).error.code, 'seat_required');
});

test('properties of every object, such as constructor, are not error codes', async () => {
  for (const word of ['constructor', '__proto__', 'toString']) {
    const asked = await ask(lines.GET, [jsonReply(404, `{"error":"${word}","errorDescription":""}`)]);
    assert.equal(asked.status, 5);
    assert.ok(
      asked.errors.startsWith(`wm: The service responded with 404 ${word}\n  Check the id`),
      asked.errors,
    );
  }
});

test('control characters in an error do not reach the terminal', async () => {
  const errorDescription = 'a\u001b]0;title\u0007b\u009b2Jc\u202ed\r\ne';
  const asked = await ask(lines.GET, [jsonReply(400, { error: 'invalid\u001b[31m', errorDescription })]);
  assert.equal(asked.status, 2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  assert.doesNotMatch(asked.errors, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  assert.match(
    asked.errors,
    /^wm: The service responded with 400 invalid\ufffd\[31m\n {2}a\ufffd\]0;title\ufffdb\ufffd2Jc\ufffdd e\n/,
  );
});

test('a final 401 says that the host may be wrong', async () => {
  const asked = await ask(lines.GET, [
    jsonReply(401, { error: 'not_authorized', errorDescription: 'Unknown token' }),
  ]);
  assert.equal(asked.status, 4);
  assert.match(asked.errors, /\n {2}Check that WM_TOKEN is complete\b.*WM_HOST.*data centre/);
});

for (const word of errorsWithoutStatus) {
  for (const status of [400, 403, 429, 503]) {
    test(`${word} is also the rate limit under ${status}: waited out, then exit 6`, async () => {
      const reply = jsonReply(status, { error: word, errorDescription: 'Slow down' });
      for (const line of [lines.GET, lines.POST]) {
        const asked = await ask(line, [reply]);
        assert.equal(asked.status, 6, asked.errors);
        assert.equal(asked.requests.length, 3);
      }
      const cured = await ask(lines.POST, [reply, jsonReply(200, hooks(hook))]);
      assert.equal(cured.status, 0, cured.errors);
    });
  }
}
