// A terminal's screen as a picture: SVG with the colours of a dark terminal on a background of its own, so that it can be
// read on a light page and on a dark one. Screen readers get the text as its description.

import headless from '@xterm/headless';

export interface Picture {
  readonly title: string;
  readonly columns: number;
}

/** The sixteen colours that programs choose by number, as far as wm uses them. */
const palette: Readonly<Record<number, string>> = {
  1: '#ff7b72',
  2: '#56d364',
  3: '#e3b341',
  4: '#79c0ff',
  5: '#d2a8ff',
  6: '#76e3ea',
};
const foreground = '#e6edf3';
const background = '#0d1117';
const dimmed = '#9198a1';

const size = 14;
/** Of a cell. Each run of text is stretched to its cells, whatever font it is drawn in. */
const cell = { width: 8.4, height: 19 };
const margin = 16;

interface Run {
  readonly text: string;
  readonly column: number;
  readonly cells: number;
  readonly look: string;
}

/** `raw` as a pseudo-terminal gave it: all of it, without the blank lines at its end. */
export async function drawPicture(raw: string, { title, columns }: Picture): Promise<string> {
  const terminal = new headless.Terminal({
    cols: columns,
    rows: 60,
    scrollback: 1000,
    allowProposedApi: true,
  });
  await new Promise<void>((resolve) => terminal.write(raw, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at));
  const texts = lines.map((line) => line?.translateToString(true) ?? '');
  const count = texts.findLastIndex((text) => text !== '') + 1;
  const rows = lines.slice(0, count).flatMap((line, row) => (line ? drawLine(line, row) : []));
  terminal.dispose();
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = count * cell.height + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title text">
<title id="title">${escapeXml(title)}</title>
<desc id="text">${escapeXml(texts.slice(0, count).join('\n'))}</desc>
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${size}" fill="${foreground}">
${rows.join('\n')}
</g>
</svg>
`;
}

type BufferLine = NonNullable<ReturnType<headless.Terminal['buffer']['active']['getLine']>>;
type BufferCell = NonNullable<ReturnType<BufferLine['getCell']>>;

function drawLine(line: BufferLine, row: number): string[] {
  const y = margin + row * cell.height;
  return readRuns(line)
    .filter(({ text, look }) => text.trim() !== '' || look.includes('reverse'))
    .flatMap(({ text, column, cells, look }) => {
      const x = round(margin + column * cell.width);
      const width = round(cells * cell.width);
      const [fill, ...marks] = look.split(' ');
      const isReversed = marks.includes('reverse');
      const box = `<rect x="${x}" y="${y}" width="${width}" height="${cell.height}" fill="${fill}"/>`;
      const weight = marks.includes('bold') ? ' font-weight="bold"' : '';
      const colour = isReversed ? ` fill="${background}"` : fill === foreground ? '' : ` fill="${fill}"`;
      const at = `x="${x}" y="${round(y + cell.height * 0.74)}" textLength="${width}"`;
      // Several blanks would become one.
      const drawn = `<text ${at}${colour}${weight}>${escapeXml(text).replaceAll(' ', '\u00a0')}</text>`;
      return isReversed ? [box, drawn] : [drawn];
    });
}

/** Cells that look the same, together; a run begins and ends with what can be seen. */
function readRuns(line: BufferLine): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < line.length; column++) {
    const cell = line.getCell(column);
    // The second half of a wide character.
    if (!cell || cell.getWidth() === 0) continue;
    const [text, look, cells] = [cell.getChars() || ' ', lookOf(cell), cell.getWidth()];
    const last = runs.at(-1);
    if (last?.look === look)
      runs[runs.length - 1] = { ...last, text: last.text + text, cells: last.cells + cells };
    else runs.push({ text, column, cells, look });
  }
  return runs.map(trimRun);
}

function trimRun(run: Run): Run {
  if (run.look.includes('reverse')) return run;
  const start = run.text.length - run.text.trimStart().length;
  const blank = run.text.length - run.text.trim().length;
  return { ...run, text: run.text.trim(), column: run.column + start, cells: run.cells - blank };
}

/** Its colour, then what else can be seen. */
function lookOf(cell: BufferCell): string {
  const chosen = cell.isFgPalette() ? palette[cell.getFgColor() % 8] : undefined;
  const colour = chosen ?? (cell.isDim() ? dimmed : foreground);
  return [colour, ...(cell.isBold() ? ['bold'] : []), ...(cell.isInverse() ? ['reverse'] : [])].join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
