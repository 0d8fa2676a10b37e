// The documents, read by linters and parsers that others wrote. Each also reads one with a mistake, and must find it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Described } from '../contract-document/described.ts';
import { run } from '../support/program/program.ts';
import { load } from './tools.ts';

const printed = async (name: string): Promise<Described> =>
  JSON.parse((await run(['contract', name])).output);
const openApi = await printed('openapi');
const asyncApi = await printed('asyncapi');

/** A copy with one change. */
function changed(document: Described, change: (copy: Described) => void): Described {
  const copy = structuredClone(document);
  change(copy);
  return copy;
}

/** Redocly reads extensions only where it is told what they hold. */
const typeExtension = {
  oas3: ({ Schema, ...types }: Described) => ({
    ...types,
    Schema: { ...Schema, properties: { ...Schema.properties, 'x-contentSchema': 'Schema' } },
  }),
};

async function lint(document: Described): Promise<readonly string[]> {
  const { createConfig, lintFromString } = await load('@redocly/openapi-core');
  const config = await createConfig({
    extends: ['recommended-strict'],
    plugins: [{ id: 'wm', typeExtension }],
  });
  const problems: Described[] = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test("passes Redocly's strict rules", async () => {
  assert.deepEqual(await lint(openApi), []);
  const twice = changed(openApi, ({ paths }) => {
    paths['/tasks/{taskIds}'] = { get: paths['/tasks/{taskId}'].get };
  });
  const lost = changed(openApi, ({ components: { schemas } }) => {
    delete schemas.TimestampRangeInput;
  });
  assert.ok((await lint(lost)).some((one) => /no-unresolved-refs/.test(one)));
  assert.ok((await lint(twice)).some((one) => /no-identical-paths|path-parameters-defined/.test(one)));
});

test('Swagger Parser validates it', async () => {
  const { default: parser } = await load('@apidevtools/swagger-parser');
  const { paths } = await parser.validate(structuredClone(openApi));
  assert.equal(Object.keys(paths).length, Object.keys(openApi.paths).length);
  const lost = changed(openApi, ({ components }) => {
    delete components.schemas.TaskId;
  });
  await assert.rejects(parser.validate(lost), /TaskId/);
  const wrong = changed(openApi, ({ paths: { '/webhooks': webhooks } }) => {
    webhooks.get.parameters.push({ name: 'x', in: 'nowhere', schema: {} });
  });
  await assert.rejects(parser.validate(wrong));
});

test("AsyncAPI's own parser reads it", async () => {
  const { default: module } = await load('@asyncapi/parser');
  const parse = async (document: Described) => {
    const { document: read, diagnostics } = await new module.Parser().parse(JSON.stringify(document));
    // 0 and 1 are errors and warnings; the others are advice, as that there is a newer version of AsyncAPI.
    const found: Described[] = diagnostics.filter(({ severity }: Described) => severity <= 1);
    return { read, found: found.map(({ message }) => message) };
  };
  const { read, found } = await parse(asyncApi);
  assert.deepEqual(found, []);
  assert.equal(read.messages().all().length, 4);
  const wrong = changed(asyncApi, ({ operations }) => {
    operations.receiveDelivery.action = 'take';
  });
  assert.notDeepEqual((await parse(wrong)).found, []);
});
