// What docs/several-receivers.md offers to copy: three servers, a sink, two receivers and a forwarder on one machine, as written but for
// the ports.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '#test/support/service/free-port.ts';
import { test } from './bounded.ts';
import { follow } from './running-wm.ts';

test('the example on one machine works as printed, even with one server down', async (t) => {
  const page = await readFile('docs/several-receivers.md', 'utf8');
  const section = page.slice(page.indexOf('## Try it on one machine'), page.indexOf('## Set-up'));
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  assert.equal(blocks.length, 3);
  let script = blocks.join('\n@NEXT\n');
  // Where a loop counts the ports, one after the other is free as a rule.
  const [clients, routes] = await Promise.all([tens(), tens()]);
  const [one, two] = await Promise.all([portBeside(clients, routes), portBeside(clients, routes)]);
  // At once: a port that has been put in may look like the next that is looked for.
  const ports = new Map([
    ['422', clients],
    ['622', routes],
    ['4020', String(one)],
    ['4021', String(two)],
  ]);
  script = script.replace(/422|622|4020|4021/g, (port) => ports.get(port) ?? port);
  const [servers = '', receivers = '', look = ''] = script.split('\n@NEXT\n');
  const folder = await mkdtemp(join(tmpdir(), 'wm-try-'));
  await symlink(resolve('bin/wm.js'), join(folder, 'wm'));
  const shell = spawn('bash', ['-m'], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, WM_TOKEN_STORE: 'file' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  shell.stdin.write('exec 2>&1\n');
  const { output, says, untilEnd } = follow('bash', shell);
  let isOver = false;
  t.after(async () => {
    isOver = true;
    shell.stdin.end('kill $(jobs -p); wait\n');
    await untilEnd();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  t.signal.addEventListener('abort', () => {
    if (!isOver) process.stderr.write(output());
  });
  /** The status of a command in the foreground. */
  const run = async (line: string) => {
    const from = output().length;
    shell.stdin.write(`${line}\necho "@ENDED $?"\n`);
    return Number((await says(/@ENDED (\d+)\n/, from))[1]);
  };
  // While the servers choose a leader, wm ends and says so, or responds with 503; a user does it again, and so does the service.
  const untilRun = async (line: string) => {
    let status = 7;
    while (status === 7) status = await run(line);
    assert.equal(status, 0, output());
  };
  const begin = async (line: string, ready: RegExp) => {
    for (;;) {
      const from = output().length;
      shell.stdin.write(`${line}\n`);
      const [shown = ''] = await says(new RegExp(`${ready.source}|wm: NATS on`), from);
      if (ready.test(shown)) return;
    }
  };
  const trigger = async (line: string) => {
    const from = output().length;
    const status = await run(line);
    const [, response] = await says(/^TaskCreated\t(\d*)\t/m, from);
    assert.equal(response, status === 0 ? '200' : '503', output());
    return status === 0;
  };
  const linesOf = (block: string) => block.trim().split('\n');
  const [triggerOne = '', triggerTwo = '', log = ''] = linesOf(look);
  const goOn = async (count: number) => {
    for (const line of [triggerOne, triggerTwo]) while (!(await trigger(line)));
    await says(new RegExp(`\tforwarded\t${count}\t`));
    await untilRun(log);
  };
  const [secret = '', sink = '', create = '', listenOne = '', listenTwo = '', forward = '', ...more] =
    linesOf(receivers);
  assert.deepEqual(more, []);
  shell.stdin.write(`${servers}\n${secret}\n${sink}\n`);
  await untilRun(create);
  await begin(listenOne, new RegExp(`:${one}/`));
  await begin(listenTwo, new RegExp(`:${two}/`));
  await begin(forward, /Forwarding from/);
  await goOn(2);
  shell.stdin.write('kill %1\n');
  await goOn(4);
  // In this order both are gone before the next request.
  shell.stdin.write('kill %2; wait %2\n');
  assert.equal(await trigger(triggerOne), false);
}, 300_000);

/** `1234` of which 12341, 12342 and 12343 are free, as far as one of them says. */
async function tens(): Promise<string> {
  for (;;) {
    const port = await freePort();
    if (port % 10 === 1) return String(Math.floor(port / 10));
  }
}

/** None of those that the loop counts. */
async function portBeside(...tens: readonly string[]): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (!tens.some((start) => String(port).startsWith(start))) return port;
  }
}
