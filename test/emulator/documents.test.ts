// The OpenAPI and AsyncAPI documents of a running emulator, and the links to them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from '#contract/assumption.ts';
import { run } from '#test/support/program/program.ts';
import { rowsOf, valuesOf } from '#test/support/service/records.ts';
import { started } from '#test/support/service/start-emulator.ts';
import type { Described } from '../contract-document/described.ts';

test('the emulator serves OpenAPI with its own addresses, otherwise as wm prints it', async (t) => {
  const emulator = await started(t);
  const response = await fetch(`${emulator.authUrl}/openapi.json`);
  assert.deepEqual(
    [response.status, response.headers.get('content-type')],
    [200, 'application/json;charset=utf-8'],
  );
  const served: Described = await response.json();
  assert.deepEqual(valuesOf(served.servers, 'url'), valuesOf(emulator.dataCentres, 'baseUrl'));
  assert.deepEqual(served.paths['/oauth2/token'].servers[0].url, emulator.authUrl);
  const flow = served.components.securitySchemes.oauth2.flows.authorizationCode;
  assert.equal(flow.tokenUrl, `${emulator.authUrl}/oauth2/token`);
  const printed = JSON.parse((await run(['contract', 'openapi'])).output);
  for (const [path, item] of Object.entries<object>(printed.paths))
    if (!('servers' in item)) assert.deepEqual(served.paths[path], item, path);
  assert.deepEqual(served.components.schemas, printed.components.schemas);
});

test('the emulator serves AsyncAPI as wm prints it, and links to both from its page', async (t) => {
  const emulator = await started(t);
  const response = await fetch(`${emulator.authUrl}/asyncapi.json`);
  assert.deepEqual(await response.json(), JSON.parse((await run(['contract', 'asyncapi'])).output));
  const page = await (await fetch(`${emulator.authUrl}/`)).text();
  const links = [...page.matchAll(/href="(\/\w+\.json)"/g)].map(([, path]) => path);
  assert.deepEqual(links, ['/openapi.json', '/asyncapi.json']);
  for (const path of links) {
    const posted = await fetch(`${emulator.authUrl}${path}`, { method: 'POST' });
    assert.equal(posted.status, 404);
  }
});

test('each assumption names its source: in both documents, on the page, in the table and as JSON', async (t) => {
  const emulator = await started(t);
  const sources = assumptions.map(({ id, source }) => [id, source]);
  const words = ['recorded', 'noted', 'reference', 'assumed'];
  assert.ok(sources.every(([, source = '']) => words.includes(source)));
  for (const path of ['openapi', 'asyncapi']) {
    const document: Described = await (await fetch(`${emulator.authUrl}/${path}.json`)).json();
    const rows = Object.entries<Described>(document['x-assumptions']);
    assert.deepEqual(
      rows.map(([id, { source }]) => [id, source]),
      sources,
    );
    assert.match(document.info.description, /`source`/);
  }
  const page = await (await fetch(`${emulator.authUrl}/`)).text();
  const shown = page.matchAll(/<dt id="assumption-([a-z0-9-]+)">[^<]*<\/dt>\n<dd>[^<]* \((\w+)\)<\/dd>/g);
  assert.deepEqual(
    [...shown].map(([, id, source]) => [id, source]),
    sources,
  );
  const { output } = await run(['emulator', 'assumptions']);
  const lines = output.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => [line.split('\t')[0], line.split('\t').at(-1)]),
    sources,
  );
  const json: Described[] = JSON.parse((await run(['emulator', 'assumptions', '--json'])).output);
  assert.deepEqual(rowsOf(json, 'id', 'source'), sources);
});

test('lists only the named rows of the assumptions', async () => {
  const { output } = await run(['emulator', 'assumptions', 'plus-sign', 'pkce']);
  assert.deepEqual(
    output.split('\n').map((line) => line.split('\t')[0]),
    ['plus-sign', 'pkce', ''],
  );
  assert.match(output, /write %20 for it, and %2B for a plus sign/);
  const unknown = await run(['emulator', 'assumptions', 'plus-sing']);
  assert.deepEqual([unknown.status, unknown.output], [2, '']);
  assert.match(unknown.errors, /No row has the id plus-sing.*\n.*Did you mean plus-sign\?/i);
});
