// `wm webhook listen` on an unread terminal, after Ctrl-S or with a dead connection: deliveries are acknowledged all the
// same, SIGTERM ends it, and what was left out is counted.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { untilInFolder } from '#test/support/disk/until-in-folder.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip, type Terminal } from '#test/support/terminal/terminal.ts';
import { deliver, secret } from './running-listener.ts';

const created = [{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG', title: 'x'.repeat(60) }];

interface OnTerminal {
  readonly terminal: Terminal;
  /** Sends so many; each must be acknowledged. */
  deliver(count: number): Promise<void>;
  /** SIGTERM; resolves with the exit status of the receiver. */
  end(): Promise<string>;
}

/** `type`: of the terminal; on a dumb one each delivery is a line. */
export async function listenOnTerminal(context: TestContext, type: string): Promise<OnTerminal> {
  const stage = await setStage(context);
  const listen = 'wm webhook listen --port 0 & echo $! > pid; wait $!; echo $? > status';
  const terminal = openTerminal(context, stage, listen, {
    environment: { TERM: type, WM_WEBHOOK_SECRET: secret },
  });
  const [, port = ''] = await terminal.shows(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  return {
    terminal,
    async deliver(count) {
      const statuses = new Set<number>();
      for (let sent = 0; sent < count; sent += 20)
        for (const status of await Promise.all(
          Array.from({ length: 20 }, () => deliver({ port: Number(port) }, created)),
        ))
          statuses.add(status);
      assert.deepEqual([...statuses], [200]);
    },
    async end() {
      process.kill(Number(await readFile(join(stage.folder, 'pid'), 'utf8')), 'SIGTERM');
      let status = '';
      await untilInFolder(stage.folder, async () => {
        status = await readFile(join(stage.folder, 'status'), 'utf8').catch(() => '');
        return status.endsWith('\n');
      });
      return status.trimEnd();
    },
  };
}

export function testUnreadTerminal(type: string, deliveries: number): void {
  test(`${deliveries} deliveries while the terminal (${type}) is not read, and SIGTERM`, {
    skip,
    timeout: 120_000,
  }, async (context) => {
    const receiver = await listenOnTerminal(context, type);
    receiver.terminal.stopReading();
    await receiver.deliver(deliveries);
    assert.equal(await receiver.end(), '0');
  });
}
