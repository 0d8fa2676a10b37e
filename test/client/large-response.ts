// Services that send large responses, and the memory that they cost the built command.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { lines } from '#test/support/service/scripted-service.ts';

export const megabyte = 1024 * 1024;
export const json = { 'Content-Type': 'application/json' };

export async function serve(
  context: TestContext,
  reply: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(reply);
  const port = await listening(server);
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${port}`;
}

/** Writes it so many times, or until the other end has gone. */
export function pour(response: ServerResponse, piece: Buffer, times: number): void {
  let remaining = times;
  const more = () => {
    while (remaining > 0 && !response.destroyed) {
      remaining -= 1;
      if (!response.write(piece)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

interface Measured {
  readonly status: number | null;
  readonly errors: string;
  /** The most memory that the process had, in megabytes. */
  readonly most: number;
}

/** The built command in a process of its own. */
export async function measured(
  context: TestContext,
  host: string,
  typed: readonly string[],
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-large-'));
  context.after(() => rm(folder, { recursive: true }));
  const [hookFile, result] = [join(folder, 'measure.cjs'), join(folder, 'result')];
  await writeFile(
    hookFile,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS)));`,
  );
  const child = spawn(process.execPath, ['--require', hookFile, resolve('bin/wm.js'), ...typed], {
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder, WM_TOKEN: 't', WM_HOST: host },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, errors, most: Number(await readFile(result, 'utf8')) / 1024 };
}

export const filling = Buffer.alloc(megabyte, 'x');

export function testTooLarge(what: 'with its length' | 'in chunks'): void {
  const headers = what === 'in chunks' ? json : { ...json, 'Content-Length': 200 * megabyte };
  test(`a response of 200 MB, ${what}: stops at 32 MB, without using memory for more`, async (context) => {
    const host = await serve(context, (_, response) => {
      response.writeHead(200, headers);
      pour(response, filling, 200);
    });
    const { status, errors, most } = await measured(context, host, lines.GET);
    assert.equal(status, 7, errors);
    assert.match(errors, /^wm: The response is too large\n {2}it is larger than 32 MB\n.*wm doctor\n/);
    assert.ok(most < 200, `${most} MB`);
  });
}

export const ids = ['IEAAAAAQKQAAAAAA', 'IEAAAAAQKQAAAAAB', 'IEAAAAAQKQAAAAAC'];

interface Large {
  readonly host: string;
  /** How many tasks each of the requests to read named; and each that was updated. */
  readonly read: number[];
  readonly updated: string[];
}

/** Tasks with so many megabytes each. */
export async function largeTasks(context: TestContext, megabytes: readonly number[]): Promise<Large> {
  const read: number[] = [];
  const updated: string[] = [];
  const host = await serve(context, ({ method, url = '' }, response) => {
    const named = ids.filter((id) => url.includes(id));
    if (method === 'GET') read.push(named.length);
    else updated.push(...named);
    const records = named.map((id) => {
      const size = method === 'GET' ? (megabytes[ids.indexOf(id)] ?? 0) : 0;
      return `{"id":"${id}","title":"t","description":"${'x'.repeat(size * megabyte)}"}`;
    });
    response.writeHead(200, json).end(`{"kind":"tasks","data":[${records.join()}]}`);
  });
  return { host, read, updated };
}
