// Reads the keys of `wm webhook listen`: single keys, or lines on a terminal that cannot move its cursor.

import { createJobControl } from '#terminal/job-control.ts';
import { parseKeystrokes } from '#terminal/keystrokes.ts';
import type { Processes, TerminalInput } from '#world/world.ts';

interface KeyActions {
  /** Shows the delivery with this number, or the last one. */
  details(sequence: number | undefined): void;
  counters(): void;
  retry(): void;
  help(): void;
  quit(): void;
  interrupt(): void;
  onDigits(digits: string): void;
  /** Called after a stop (Ctrl-Z), or after another program has used the terminal. */
  drawAgain(): void;
}

export const keyHelp = `d or Enter  show the last delivery: headers and body
12 d        show delivery #12
c           show the counters
r           retry now what waits
q, Ctrl-C   end
?           show this help`;

const mostDigits = 15;

/** `isRaw`: single keys instead of lines. The returned function restores the terminal. */
export function listenForKeys(
  typing: TerminalInput,
  processes: Pick<Processes, 'onResume' | 'suspend' | 'isInForeground'>,
  isRaw: boolean,
  actions: KeyActions,
): () => void {
  let digits = '';
  let pending = '';
  const type = (next: string) => {
    if (next === digits) return;
    digits = next;
    actions.onDigits(digits);
  };
  const showDetails = () => {
    const sequence = digits === '' ? undefined : Number(digits);
    type('');
    actions.details(sequence);
  };
  const jobControl = createJobControl(typing, processes, {
    isRaw,
    drawAgain: actions.drawAgain,
    // After bg, input belongs to other programs until the next stop and fg.
    mayContinue() {
      const isOurs = processes.isInForeground();
      if (!isOurs) {
        stopListening?.();
        stopListening = undefined;
      } else stopListening ??= listen();
      return isOurs;
    },
  });

  const press = (key: string) => {
    if (/^\d$/.test(key)) {
      if (digits.length < mostDigits) type(digits + key);
    } else if (key === 'd' || key === '\r' || key === '\n') showDetails();
    else {
      const shortened = digits.slice(0, -1);
      type('');
      if (key === '\x7f' || key === '\b') type(shortened);
      else if (key === 'c') actions.counters();
      else if (key === 'r') actions.retry();
      else if (key === '?' || key === 'h') actions.help();
      else if (key === 'q') actions.quit();
      else if (key === '\x03') actions.interrupt();
      else if (key === '\x1a') jobControl.suspend();
    }
  };
  const onKeys = (input: string) => {
    const { keystrokes, rest } = parseKeystrokes(pending + input);
    pending = rest;
    // Ignore pasted text.
    for (const { kind, text } of keystrokes)
      if (kind === 'text') for (const character of text) press(character.toLowerCase());
      else if (kind === 'key') press(text);
  };
  const onLines = (input: string) => {
    const lines = (pending + input).split(/\r\n|[\r\n]/);
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const [, number = '', key = ''] = /^#?(\d*)\s*([a-z?]?)$/i.exec(line.trim()) ?? [undefined, '', '?'];
      for (const digit of number) press(digit);
      press(key.toLowerCase() || '\r');
    }
  };
  if (isRaw) typing.setRaw(true);
  const listen = () => typing.listen(isRaw ? onKeys : onLines, actions.quit);
  let stopListening: (() => void) | undefined = listen();
  return () => {
    jobControl.close();
    stopListening?.();
    if (isRaw && processes.isInForeground()) typing.setRaw(false);
  };
}
