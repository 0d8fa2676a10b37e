// Types that openapi-typescript generates from the document compile, and the program that uses them sends what the emulator
// accepts, even with --strict: through the validating proxy, without an objection.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Described } from '../contract-document/described.ts';
import { emulated } from '../support/program/emulated.ts';
import { run } from '../support/program/program.ts';
import { folder, load } from './tools.ts';
import { validatingProxy } from './validating-proxy.ts';

const execute = promisify(execFile);

test('a generated client compiles, and works with --strict', async (context) => {
  // Beside what this folder installed, so that the compiler and Node find it.
  const place = `${folder}/node_modules/.sample-${process.pid}`;
  await mkdir(place);
  context.after(() => rm(place, { recursive: true }));
  await cp(`${folder}/sample`, place, { recursive: true });
  await writeFile(`${place}/package.json`, '{"type":"module"}');
  // Its CommonJS form has the function in a default of its own.
  const { default: module } = await load('openapi-typescript');
  const { default: generate, astToString } = module;
  const printed: Described = JSON.parse((await run(['contract', 'openapi'])).output);
  await writeFile(`${place}/service.d.ts`, astToString(await generate(printed)));
  const compiler = `${folder}/node_modules/typescript/bin/tsc`;
  const compiled = await execute(process.execPath, [compiler, '-p', place]).catch((error) => error);
  assert.equal(compiled.stdout, '');

  const { emulator } = await emulated(context, { mode: 'strict' });
  const served: Described = await (await fetch(`${emulator.authUrl}/openapi.json`)).json();
  const proxy = await validatingProxy(context, served, emulator.authUrl);
  const baseUrl = `http://${proxy.host}/api/v4`;
  const { token, sampleTask, sampleFolder } = emulator;
  const { stdout } = await execute(process.execPath, [
    `${place}/client.js`,
    ...[baseUrl, token, sampleTask, sampleFolder],
  ]);
  assert.deepEqual(JSON.parse(stdout), {
    title: 'Generated & sent',
    importance: 'High',
    type: 'Planned',
    webhooks: 2,
    status: 'Suspended',
    removed: 200,
    account: 'IEAAAAAQ',
    error: 'invalid_parameter',
    unused: 3,
  });
  assert.deepEqual(proxy.violations, []);
  assert.equal(proxy.responses, 8);
});
