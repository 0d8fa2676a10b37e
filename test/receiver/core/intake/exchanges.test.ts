// The receiver against the exchanges that were written by hand, over real sockets: each byte of the response, and what is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRequest } from '#receiver/core/intake/judge-request.ts';
import { receiverExchanges, receiverSecrets as secrets } from '#test/witness/receiver-exchanges.ts';
import { startReceiver } from './start-receiver.ts';

for (const { about, result, head, body, response } of receiverExchanges) {
  test(`${about}: ${result}`, async (t) => {
    const receiver = await startReceiver(t, { secrets });
    const text = await receiver.exchange(`${head.join('\r\n')}\r\n\r\n${body}`);
    assert.equal(text.replace(/^Date: .*\r\n/m, ''), `${response.join('\r\n')}\r\n\r\n`);
    const isDelivery = result === 'delivery';
    assert.deepEqual(
      receiver.journal.stored.map((delivery) => [delivery.path, Buffer.from(delivery.body).toString()]),
      isDelivery ? [['/hook', body]] : [],
    );
    const [activity, ...others] = receiver.activities;
    assert.deepEqual(others, []);
    assert.equal(
      activity?.kind === 'rejected' ? activity.reason : activity?.kind,
      isDelivery ? 'stored' : result,
    );
  });
}

test('judges the same requests through a header function', () => {
  for (const { about, result, head, body } of receiverExchanges) {
    const headers = new Headers(
      head.slice(1).map((line): [string, string] => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    const judgement = judgeRequest(
      { headers: (name) => headers.get(name), body: Buffer.from(body) },
      { secrets },
    );
    assert.equal(judgement.kind === 'rejection' ? judgement.reason : judgement.kind, result, about);
  }
});
