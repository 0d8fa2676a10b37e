// The memory of a bulk that really sends its rows: at most 150 MB, however many there are. The process says itself at its
// end how much it has had at most. TEST_ROWS=40000 for fewer than an everyday torture sends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { listening } from '#test/support/service/listening.ts';

const mostMegabytes = 150;
const counts = (process.env['TEST_ROWS'] ?? '40000,400000,1000000').split(',').map(Number);

/** Answers every update at once, with a task of the usual length. */
async function service() {
  const description = 'x'.repeat(500);
  const server = createServer((request, response) => {
    const id = /\/tasks\/([^?]+)/.exec(request.url ?? '')?.[1];
    const body = JSON.stringify({ kind: 'tasks', data: [{ id, title: 'x', description }] });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
  return { server, port: await listening(server) };
}

async function writeRows(path: string, format: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  if (format === 'CSV') file.write('id,title\n');
  for (let at = 0; at < rows; at++) {
    const id = `IEAAAAAQKQ${at.toString(36).toUpperCase().padStart(6, '0')}`;
    const title = `Ship the release, part ${at}`;
    const line = format === 'CSV' ? `${id},"${title}"` : JSON.stringify({ id, title });
    if (!file.write(`${line}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

for (const rows of counts) {
  for (const [format, more] of [
    ['CSV', []],
    ['NDJSON', ['--json']],
  ] as const) {
    test(`${rows.toLocaleString('en')} rows of ${format} take at most ${mostMegabytes} MB`, async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'wm-memory-'));
      const { server, port } = await service();
      context.after(async () => {
        server.closeAllConnections();
        server.close();
        await rm(folder, { recursive: true });
      });
      const path = join(folder, 'rows');
      await writeRows(path, format, rows);
      const [used, hook] = [join(folder, 'used'), join(folder, 'hook.cjs')];
      await writeFile(
        hook,
        `process.on('exit', () => require('node:fs').writeFileSync(process.env.USED, String(process.resourceUsage().maxRSS)));`,
      );
      const argv = ['task', 'update', '--from', path, '--yes', '--quiet', ...more];
      const child = spawn(process.execPath, ['--require', hook, resolve('bin/wm.js'), ...argv], {
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          USED: used,
          WM_HOST: `127.0.0.1:${port}`,
          WM_TOKEN: 'a-token',
          WM_CONFIG_DIR: join(folder, 'config'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let results = 0;
      let errors = '';
      child.stdout.on('data', (piece: Buffer) => {
        for (const byte of piece) if (byte === 0x0a) results++;
      });
      child.stderr.on('data', (text) => (errors += text));
      const [status] = await once(child, 'close');
      assert.equal(status, 0, errors);
      assert.equal(results, rows);
      const megabytes = Number(await readFile(used, 'utf8')) / 1024;
      process.stderr.write(`${rows} rows of ${format}: ${megabytes.toFixed(0)} MB at most\n`);
      assert.ok(megabytes <= mostMegabytes, `${megabytes.toFixed(0)} MB`);
    });
  }
}
