// Asks for one line of text, visible or hidden. Validates while the user types, or after Enter. A paste is one text, even with line
// breaks, and answers only after Enter.

import { countLines, toOneLine } from './keystrokes.ts';
import type { Key } from './picker/keys.ts';
import { bell, bracketedPaste, createQuestion, type QuestionConfig } from './question.ts';
import { sanitizeLine } from './sanitize.ts';
import { displayWidth } from './width.ts';
import { measure, wrap } from './wrap.ts';

export interface TextQuestionConfig extends QuestionConfig {
  /** Returns what is wrong with the text. */
  readonly validate: (text: string) => string | undefined;
  /** Validates while typing. After Enter, an invalid text stays so that the user can correct it. */
  readonly isLive: boolean;
  readonly isHidden?: boolean;
  /** The text to edit: one line without control characters. */
  readonly initial?: string | undefined;
  /** Shown below the question until the first key. */
  readonly note?: string | undefined;
  readonly columns: () => number;
}

/** Longer than any value. Redrawing it at each key would become slow. */
const maxLength = 20_000;

export const textQuestion = createQuestion<string, TextQuestionConfig>((config, parts) => {
  const { style, prefix, isDone, useState } = parts;
  const [text, setText] = useState(config.initial ?? '');
  const [note, setNote] = useState(config.note ?? '');
  const [remark, setRemark] = useState('');
  const [isRevealed, setRevealed] = useState(false);
  const { keyInput, write } = config;

  const lines = wrap(measure(`? ${config.message}`), config.columns() - 1);
  const question = style.message(lines.join('\n').slice(2), isDone ? 'done' : 'idle');
  const stars = '*'.repeat(text.length);
  const visible = config.isHidden && !isRevealed ? stars : sanitizeLine(text);
  const displayed = isDone ? style.answer(config.isHidden ? stars : visible) : visible;
  const wrong = config.isLive && text !== '' ? config.validate(text) : undefined;
  const remarks = [note, wrong].filter((remark) => remark !== undefined && remark !== '');
  const content = [prefix, question, displayed].join(' ');
  const bottom = [
    ...[...new Set(remarks)].map((remark) => style.error(remark ?? '')),
    ...(remark === ''
      ? []
      : wrap(measure(sanitizeLine(remark)), config.columns() - 1).map((line) => style.help(line))),
    ...(config.isHidden ? [style.help(`Ctrl-T: ${isRevealed ? 'hide' : 'show'} the text`)] : []),
  ].join('\n');

  const redrawBelow = () => {
    const width = config.columns();
    const above = countRows([...lines.slice(0, -1), `${lines.at(-1)} ${visible} `].join('\n'), width);
    const below = bottom === '' ? 0 : countRows(bottom, width);
    // The package moves down over the lines below the cursor and clears upwards, so make room for that.
    write(`\r${'\n'.repeat(above - 1 + below)}${below > 0 ? `\x1b[${below}A` : ''}${bracketedPaste.on}`);
    parts.redraw();
  };

  parts.useEffect((line) => line.write(config.initial ?? ''), []);
  parts.useKeypress((key: Key, line) => {
    if (isDone) return;
    const append = (added: string, remark: string) => {
      if (line.line.length + added.length > maxLength) {
        write(bell);
        setNote(`Too long for a prompt: ${line.line.length + added.length} characters`);
        return;
      }
      line.write(added);
      setText(line.line);
      setNote(remark);
    };
    if (key.name === 'stop') {
      write(`\x1b[J${bracketedPaste.off}`);
    } else if (key.name === 'continue') {
      redrawBelow();
    } else if (key.name === 'remark') {
      setRemark(key.sequence ?? '');
    } else if (key.name === 'text') {
      append(key.sequence ?? '', '');
    } else if (key.name === 'paste') {
      const pasted = key.sequence ?? '';
      const count = countLines(pasted);
      const isOneLine = count < 2;
      // In a hidden text, the user could not see how the lines were joined.
      if (config.isHidden && !isOneLine) setNote(`Paste ignored: it has ${count} lines`);
      else append(toOneLine(pasted), isOneLine ? '' : `Joined ${count} pasted lines into one`);
    } else if (config.isHidden && key.ctrl === true && key.name === 't') {
      setRevealed(!isRevealed);
    } else if (key.name === 'tab') {
      // The package has inserted an invisible tab.
      const rest = line.line.replaceAll('\t', '');
      line.clearLine(0);
      line.write(rest);
      write(bell);
    } else if (key.name !== 'return' && key.name !== 'enter') {
      setText(line.line);
      setNote('');
    } else if (config.validate(text) === undefined) {
      parts.answer(text);
    } else {
      // Restore the text that Enter has cleared.
      if (config.isLive) line.write(text);
      else setText('');
      setNote(config.validate(text) ?? '');
      keyInput.dropRestOfRead();
    }
  });
  return [content, isDone ? '' : bottom];
});

function countRows(text: string, width: number): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, width))), 0);
}
