// Clients that four more generators make from the document compile, and run the main flow with --strict: list tasks, change one,
// create a webhook and suspend it, through the validating proxy, without an objection.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Described } from '../contract-document/described.ts';
import { emulated } from '../support/program/emulated.ts';
import { run } from '../support/program/program.ts';
import { folder, print } from './tools.ts';
import { validatingProxy } from './validating-proxy.ts';

const execute = promisify(execFile);
const modules = `${folder}/node_modules`;

/** orval writes a range of statuses as a number, which is invalid TypeScript: docs/contract.md has this filter too. */
const withoutRanges = 'del(.paths[][].responses?["2XX", "3XX", "4XX", "5XX"])';

interface Generator {
  readonly name: string;
  readonly program: string;
  /** Its arguments: from the document, into the folder or the file `api.ts` there. */
  readonly command: (document: string, into: string) => readonly string[];
  readonly jq?: string;
}

const generators: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    program: 'bin/run.js',
    command: (document, into) => ['-i', document, '-o', into, '-p', '@hey-api/client-fetch', '@hey-api/sdk'],
  },
  {
    name: 'swagger-typescript-api',
    program: 'dist/cli.mjs',
    command: (document, into) => ['generate', '-p', document, '-o', into, '-n', 'api.ts'],
  },
  {
    name: 'openapi-typescript-codegen',
    program: 'bin/index.js',
    command: (document, into) => ['-i', document, '-o', into, '--useOptions'],
  },
  {
    name: 'orval',
    program: 'dist/bin/orval.js',
    // It finds sample/orval.config.mjs.
    command: () => [],
    jq: withoutRanges,
  },
];

test('clients from four more generators compile, and run the main flow with --strict', async (context) => {
  const sources = `${modules}/.generated-${process.pid}`;
  context.after(() => rm(sources, { recursive: true }));
  await cp(`${folder}/sample`, sources, { recursive: true });
  const versions: string[] = [];
  for (const { name, program, command, jq } of generators) {
    const { output } = await run(['contract', 'openapi', ...(jq === undefined ? [] : ['--jq', jq])]);
    const into = `${sources}/${shortName(name)}`;
    await mkdir(into);
    await writeFile(`${into}.json`, output);
    const { version } = JSON.parse(await readFile(`${modules}/${name}/package.json`, 'utf8'));
    versions.push(`${name} ${version}`);
    // Beside the document: some generators look for their configuration where they run.
    await execute(process.execPath, [`${modules}/${name}/${program}`, ...command(`${into}.json`, into)], {
      cwd: sources,
    });
  }
  const compiled = await execute(process.execPath, [
    `${modules}/typescript/bin/tsc`,
    '-p',
    `${sources}/tsconfig.generators.json`,
  ]).catch((error) => error);
  assert.equal(compiled.stdout, '');

  await build({
    entryPoints: generators.map(({ name }) => `${sources}/${shortName(name)}.ts`),
    outdir: sources,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  for (const { name } of generators) {
    const { emulator } = await emulated(context, { mode: 'strict' });
    const served: Described = await (await fetch(`${emulator.authUrl}/openapi.json`)).json();
    const proxy = await validatingProxy(context, served, emulator.authUrl);
    const { stdout } = await execute(process.execPath, [
      `${sources}/${shortName(name)}.mjs`,
      ...[`http://${proxy.host}/api/v4`, emulator.token, emulator.sampleTask],
    ]);
    const due = '2026-03-06T17:00:00';
    assert.deepEqual(
      JSON.parse(stdout),
      { tasks: 3, title: 'Generated', dates: due, status: 'Suspended' },
      name,
    );
    assert.deepEqual(proxy.violations, [], name);
    assert.equal(proxy.responses, 4, name);
  }
  print(versions.join(', '));
});

const shortName = (name: string) => name.replace(/^@(.*)\/.*$/, '$1');
