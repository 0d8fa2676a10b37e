// Asks for text, for hidden text, or for a yes with ready-made questions. The only file that imports their package. A paste is one
// text, even with line breaks, and answers only after Enter.

import { Writable } from 'node:stream';
import { confirm, input, password } from '@inquirer/prompts';
import { bell } from './key-input.ts';
import { countLines, toOneLine } from './keystrokes.ts';
import type { Key } from './picker/keys.ts';
import type { QuestionConfig } from './picker-question.ts';
import { typeYesOrNo } from './prompt.ts';
import { sanitizeLine } from './sanitize.ts';
import { unchanged } from './style.ts';
import { measure, wrap } from './wrap.ts';

interface TextConfig extends QuestionConfig {
  readonly validate: (text: string) => string | undefined;
  /** An invalid text stays after Enter, so that the user can correct it. */
  readonly keepsInvalid: boolean;
}

/** Longer than any value. Drawing it again at each key would become slow. */
const maxLength = 20_000;

/** What the package writes first to draw a question again. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression matches control characters
const erasure = /^(?:\x1b\[\d+B)?(?:\x1b\[2K\x1b\[1A)*\x1b\[2K\x1b\[G/;

export function askText(config: TextConfig, signal: AbortSignal): Promise<string> {
  const { message, theme, validate, keepsInvalid } = config;
  return input(
    {
      message,
      validate: (text) => validate(text) ?? true,
      transformer: (text, { isFinal }) => (isFinal ? theme.style.answer : unchanged)(sanitizeLine(text)),
      theme: { ...theme, validationFailureMode: keepsInvalid ? 'keep' : 'clear' },
    },
    editLine(config, signal),
  );
}

export function askSecret(config: TextConfig, signal: AbortSignal): Promise<string> {
  const { message, theme, validate } = config;
  const keysHelpTip = () => theme.style.help('Ctrl-T: show or hide the text');
  return password(
    {
      message,
      mask: true,
      validate: (text) => validate(text) ?? true,
      theme: { ...theme, style: { ...theme.style, keysHelpTip } },
    },
    editLine(config, signal, { isHidden: true }),
  );
}

/** Enter alone means no. */
export function askYesOrNo(config: QuestionConfig, signal: AbortSignal): Promise<boolean> {
  const { message, theme } = config;
  return confirm(
    { message, default: false, theme: { ...theme, keywords: { error: () => typeYesOrNo } } },
    editLine(config, signal),
  );
}

/** Returns where the package reads and draws: it reads each paste as a text, and draws below the notes. */
function editLine(
  { keyInput, theme, output, size }: QuestionConfig,
  signal: AbortSignal,
  { isHidden = false } = {},
) {
  const { input } = keyInput;
  /** Of the texts since the last key. */
  let length = 0;
  let notes = '';
  let isErased = false;
  const frame = new Writable({
    decodeStrings: false,
    write(drawing: string, _encoding, done) {
      const [erasing = ''] = erasure.exec(drawing) ?? [];
      if (erasing === '') output.write(drawing);
      else {
        output.write((isErased ? '\r\x1b[J' : erasing) + notes + drawing.slice(erasing.length));
        notes = '';
        isErased = false;
      }
      done();
    },
  });
  Object.defineProperty(frame, 'columns', { get: () => size().columns });

  /** The package draws again only what has changed. */
  const drawAgain = () => {
    input.emit('keypress', ' ', { name: 'insert' });
    input.emit('keypress', '', { name: 'backspace' });
  };
  const showNote = (note: string) => {
    const lines = wrap(measure(`> ${sanitizeLine(note)}`), size().columns - 1);
    notes += lines.map((line) => `${theme.style.help(line)}\n`).join('');
    drawAgain();
  };
  keyInput.expectLine();
  input.on('keypress', (_text: string, { name, sequence = '' }: Key) => {
    if (name === 'insert') return;
    if (name === 'remark') return showNote(sequence);
    if (name === 'continue') {
      isErased = true;
      return drawAgain();
    }
    const isPaste = name === 'paste';
    if (name !== 'text' && !isPaste) {
      length = 0;
      return;
    }
    const lineCount = isPaste ? countLines(sequence) : 1;
    // The user could not see how the lines were joined.
    if (isHidden && lineCount > 1) return showNote(`Paste ignored: it has ${lineCount} lines`);
    const text = isPaste ? toOneLine(sequence) : sequence;
    const lengthAfter = length + text.length;
    if (lengthAfter <= maxLength) {
      input.emit('keypress', text, { name: 'insert' });
      if (lineCount > 1) showNote(`Joined ${lineCount} pasted lines into one`);
    } else {
      output.write(bell);
      if (length <= maxLength) showNote(`Too long for a prompt: ${lengthAfter} characters`);
      if (isPaste) return;
    }
    // A paste without marks is many texts.
    length = lengthAfter;
  });
  return { input, output: frame, signal };
}
