// What a terminal shows after what was written to it: a screen of cells, as terminals keep one, in which a wide character
// takes two and a mark none.

import xterm from '@xterm/headless';

export interface Screen {
  /** From the first, those that have gone off the top included; without the blanks at their ends. */
  readonly lines: readonly string[];
  /** True where a line was too wide, so that the terminal went on in the next. */
  readonly isWrapped: boolean;
}

/** `raw` as a pseudo-terminal gave it. */
export async function screenOf(raw: string, columns: number, rows = 30): Promise<Screen> {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(raw, resolve));
  const { buffer } = terminal;
  const all = Array.from({ length: buffer.active.length }, (_, at) => buffer.active.getLine(at));
  const lines = all.map((line) => line?.translateToString(true) ?? '');
  const isWrapped = all.some((line) => line?.isWrapped);
  terminal.dispose();
  const last = lines.findLastIndex((line) => line !== '');
  return { lines: lines.slice(0, last + 1), isWrapped };
}
