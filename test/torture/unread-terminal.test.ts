// npm run torture: a receiver whose terminal is stopped and freed 50 times under load.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenOnTerminal } from '#test/receiver/listen/unread-terminal.ts';
import { skip } from '#test/support/terminal/terminal.ts';

for (const type of ['xterm-256color', 'dumb'])
  test(`50 times stopped and continued (${type}): acknowledges and counts each delivery`, {
    skip,
  }, async (context) => {
    const receiver = await listenOnTerminal(context, type);
    for (let round = 0; round < 50; round++) {
      receiver.terminal.stopReading();
      await receiver.deliver(400);
      receiver.terminal.readAgain();
      await receiver.deliver(20);
    }
    assert.equal(await receiver.end(), '0');
    await receiver.terminal.shows(/^21000 received/m);
  });
