// Every event, as the emulator delivers it, held against the AsyncAPI document by a JSON Schema validator that others wrote.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sign } from '../../src/contract/signature.ts';
import { type Described, resolved } from '../contract-document/described.ts';
import { call, started } from '../support/service/start-emulator.ts';
import { events } from '../witness/events.ts';
import { load } from './tools.ts';

test('the handshake, and a delivery of each event, match the document', async (context) => {
  const secret = 's3cret';
  const received: { readonly headers: IncomingHttpHeaders; readonly body: Described }[] = [];
  const receiver = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    received.push({ headers: request.headers, body: JSON.parse(text) });
    const challenge = request.headers['x-hook-secret'];
    if (typeof challenge === 'string') response.setHeader('X-Hook-Secret', sign(secret, challenge));
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  context.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = receiver.address() as AddressInfo;

  const emulator = await started(context, { allowLocalHooks: true });
  const document: Described = await (await fetch(`${emulator.authUrl}/asyncapi.json`)).json();
  const { default: ajv } = await load('ajv');
  const validator = new (ajv.default ?? ajv)({ strict: false, allErrors: true });
  validator.addSchema(document, 'document');
  const check = (message: string, part: string, given: unknown): Described[] => {
    const validate = validator.getSchema(`document#/components/messages/${message}/${part}`);
    validate(given);
    return validate.errors ?? [];
  };
  /** The names of headers have no case on the wire. */
  const checkHeaders = (message: string, headers: IncomingHttpHeaders) => {
    const names = Object.keys(resolved(document, document.components.messages[message].headers).properties);
    const given = names.flatMap((name) =>
      headers[name.toLowerCase()] ? [[name, headers[name.toLowerCase()]]] : [],
    );
    return check(message, 'headers', Object.fromEntries(given));
  };

  const body = new URLSearchParams({ hookUrl: `http://127.0.0.1:${port}/`, secret });
  const { status } = await call(emulator, 'POST', '/webhooks', { method: 'POST', body });
  assert.equal(status, 200);
  const [handshake] = received;
  assert.ok(handshake);
  assert.deepEqual(checkHeaders('handshake', handshake.headers), []);
  assert.deepEqual(check('handshake', 'payload', handshake.body), []);
  const answer = sign(secret, String(handshake.headers['x-hook-secret']));
  assert.deepEqual(check('handshakeResponse', 'headers', { 'X-Hook-Secret': answer }), []);

  for (const { name } of events) {
    const emitted = await fetch(`${emulator.controlUrl}/events`, {
      method: 'POST',
      body: JSON.stringify({ eventType: name }),
    });
    assert.equal(emitted.status, 200, `${name}: ${await emitted.text()}`);
  }
  await fetch(`${emulator.controlUrl}/deliveries?settled=true`);
  const deliveries = received.slice(1);
  assert.deepEqual(
    deliveries.map((one) => one.body[0].eventType),
    events.map(({ name }) => name),
  );
  for (const { headers, body: delivered } of deliveries) {
    assert.deepEqual(checkHeaders('delivery', headers), []);
    assert.deepEqual(check('delivery', 'payload', delivered), [], JSON.stringify(delivered));
  }

  const { examples } = document.components.messages.delivery;
  assert.equal(examples.length, events.length);
  for (const { payload } of examples) assert.deepEqual(check('delivery', 'payload', payload), []);
  // What is not as the document says is found.
  for (const spoil of [
    (one: Described) => delete one.webhookId,
    (one: Described) => {
      one.eventType = 'TaskMoved';
    },
    (one: Described) => {
      one.lastUpdatedDate = 'today';
    },
    (one: Described) => {
      one.taskId = 'no id';
    },
  ]) {
    const copy = structuredClone(examples[0].payload);
    spoil(copy[0]);
    assert.notDeepEqual(check('delivery', 'payload', copy), []);
  }
});
