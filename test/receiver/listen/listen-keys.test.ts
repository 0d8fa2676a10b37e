// The keys of `wm webhook listen`, as a terminal in raw mode sends them and as lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenForKeys } from '#receiver/listen/listen-keys.ts';
import type { TerminalInput } from '#world/world.ts';

function typeInto(isRaw: boolean) {
  const said: string[] = [];
  const modes: boolean[] = [];
  let hear = (_text: string) => {};
  let end = () => {};
  let stops = 0;
  const typing: TerminalInput = {
    takePending: async () => '',
    unread: () => {},
    listen(listener, ended) {
      hear = listener;
      end = ended;
      return () => said.push('closed');
    },
    setRaw: (raw) => void modes.push(raw),
  };
  const processes = { onResume: () => () => {}, suspend: () => void stops++, isInForeground: () => true };
  const close = listenForKeys(typing, processes, isRaw, {
    details: (sequence) => said.push(`details ${sequence}`),
    counters: () => said.push('counters'),
    retry: () => said.push('retry'),
    help: () => said.push('help'),
    quit: () => said.push('quit'),
    interrupt: () => said.push('interrupt'),
    onDigits: (digits) => said.push(`typed ${digits}`),
    drawAgain: () => said.push('draw'),
  });
  const press = (text: string) => {
    said.length = 0;
    hear(text);
    return [...said];
  };
  return { press, close, said, modes, end: () => end(), stops: () => stops };
}

test('keys: letters ignoring case, Enter, a number before d, Backspace, Ctrl-C', () => {
  const { press, close, modes, said } = typeInto(true);
  assert.deepEqual(press('dCr?hq'), ['details undefined', 'counters', 'retry', 'help', 'help', 'quit']);
  assert.deepEqual(press('\r'), ['details undefined']);
  assert.deepEqual(press('12'), ['typed 1', 'typed 12']);
  assert.deepEqual(press('\x7fd'), ['typed ', 'typed 1', 'typed ', 'details 1']);
  assert.deepEqual(press('7c'), ['typed 7', 'typed ', 'counters']);
  assert.deepEqual(press('\x03'), ['interrupt']);
  assert.equal(press('1'.repeat(40)).length, 15);
  close();
  assert.equal(said.at(-1), 'closed');
  assert.deepEqual(modes, [true, false]);
});

test('ignores other keys: arrows, even in pieces, and pasted text', () => {
  const { press } = typeInto(true);
  assert.deepEqual(
    [press('\x1b[A'), press('\x1b'), press('[B'), press('\x1b[200~quit\x1b[201~'), press('x')],
    [[], [], [], [], []],
  );
});

test('Ctrl-Z stops the process, and the screen is drawn again', () => {
  const { press, stops, modes } = typeInto(true);
  assert.deepEqual(press('\x1a'), ['draw']);
  assert.equal(stops(), 1);
  assert.deepEqual(modes, [true, false, true]);
});

test('lines: a letter, a number, both, nothing; other input shows the help; the end of the input quits', () => {
  const { press, modes, end, said } = typeInto(false);
  const withoutTyped = (text: string) => press(text).filter((action) => !action.startsWith('typed'));
  assert.deepEqual(withoutTyped('d\n'), ['details undefined']);
  assert.deepEqual(withoutTyped('\n'), ['details undefined']);
  assert.deepEqual(withoutTyped('#12\n'), ['details 12']);
  assert.deepEqual(withoutTyped('12 D\r\nc\n'), ['details 12', 'counters']);
  assert.deepEqual([withoutTyped('q'), withoutTyped('\n')], [[], ['quit']]);
  assert.deepEqual(withoutTyped('show it\n'), ['help']);
  end();
  assert.equal(said.at(-1), 'quit');
  assert.deepEqual(modes, []);
});
