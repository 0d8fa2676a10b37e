// Questions that follow each key: a line of text that is checked while it is typed, and the picker. The package has no
// such questions, only the parts for them; what the keys of a picker do, and how it looks, is in picker/.

import {
  createPrompt,
  isEnterKey,
  makeTheme,
  type Theme,
  useEffect,
  useKeypress,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core';
import { highlighted, type Key, type PickerState, paste, press, type Step, startOf } from './picker/keys.ts';
import { draw, type Frame, type Picker, type Size } from './picker/screen.ts';
import { displayWidth } from './width.ts';
import { measure, wrap } from './wrap.ts';

interface Themed {
  readonly message: string;
  readonly theme: { readonly prefix?: Theme['prefix']; readonly style?: Partial<Theme['style']> };
}

export interface TypedTextConfig extends Themed {
  /** What is wrong with the text so far. */
  readonly remark: (text: string) => string | undefined;
  /** What was typed before the question stood there is no part of the answer. */
  readonly afresh?: true;
  /** The width of the terminal in cells. */
  readonly columns: () => number;
}

export const typedText = createPrompt<string, TypedTextConfig>((config, done) => {
  const theme: Theme = makeTheme(config.theme);
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [text, setText] = useState('');
  const [refused, setRefused] = useState(false);
  const prefix = usePrefix({ status, theme });

  useEffect((line) => {
    if (config.afresh) line.clearLine(0);
    else setText(line.line);
  }, []);
  useKeypress((key, line) => {
    if (status === 'done') return;
    if (!isEnterKey(key)) {
      setText(line.line);
      setRefused(false);
    } else if (config.remark(text) === undefined) {
      setStatus('done');
      done(text);
    } else {
      // Enter has emptied the line; what was typed stays to be mended.
      line.write(text);
      setRefused(true);
    }
  });

  const shown = status === 'done' ? theme.style.answer(text) : text;
  // Nothing is wrong with what nobody has begun to type.
  const remark = text === '' && !refused ? undefined : config.remark(text);
  const lines = wrap(measure(`? ${config.message}`), config.columns() - 1);
  const question = theme.style.message(lines.join('\n').slice(2), status);
  return [
    [prefix, question, shown].join(' '),
    remark === undefined || status === 'done' ? '' : theme.style.error(remark),
  ];
});

/** The terminal of a picker, beyond what the package does with it. */
export interface Screen {
  size(): Size;
  write(text: string): void;
  /** Each gives what ends it. */
  onResize(listener: () => void): () => void;
  onContinue(listener: () => void): () => void;
  /** Raw mode again, after another program had the terminal. */
  takeBack(): void;
}

export interface PickerConfig extends Themed, Picker {
  readonly screen: Screen;
  /** What was typed before the list was there. */
  readonly typed: string;
}

const bell = '\x07';
/** A terminal that knows it sends a mark before and after what is pasted. */
const pastes = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const;
const clearScreen = '\x1b[H\x1b[J';
const up = (lines: number) => (lines > 0 ? `\x1b[${lines}A` : '');

/** What outlives a drawing. */
interface Memory {
  frame: Frame | undefined;
  /** The row that was highlighted when the last keys came. */
  seen: number | undefined;
  /** What has been pasted so far, between the two marks. */
  pasted: string | undefined;
  /** Drawn anew after Ctrl-Z already, before anybody is told that the process goes on. */
  isDrawnAnew: boolean;
}

/** Gives the indices of what was picked. */
export const pickRows = createPrompt<readonly number[], PickerConfig>((config, done) => {
  const { rows, screen } = config;
  const theme: Theme = makeTheme(config.theme);
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [state, setState] = useState<PickerState>(startOf(config.typed));
  const [picked, setPicked] = useState<readonly number[]>([]);
  const [, drawAgain] = useState({});
  const memory = useRef<Memory>({
    frame: undefined,
    seen: undefined,
    pasted: undefined,
    isDrawnAnew: false,
  }).current;
  const current = useRef(state);
  current.current = state;

  const take = (step: Step) => {
    if (step === undefined) return screen.write(bell);
    if ('state' in step) return setState(step.state);
    setStatus('done');
    setPicked(step.picked);
    done(step.picked);
  };
  /** Leaves what is on the screen now, and draws below it. */
  const drawBelow = () => {
    const below = memory.frame?.body.length ?? 0;
    const above = (memory.frame?.head.length ?? 1) - 1;
    // The package goes down over the body and clears upwards: that much is made room for.
    screen.write(`\r${'\n'.repeat(below + above)}${up(below)}${pastes.on}`);
    drawAgain({});
  };

  useEffect((line) => {
    // Typed while the question was being put up.
    const early = paste(current.current, line.line);
    line.clearLine(0);
    if (early && 'state' in early) setState(early.state);
    screen.write(pastes.on);
    const { input } = line;
    const hear = () => {
      memory.seen = highlighted(rows, current.current);
    };
    const hearStop = (_text: unknown, key: Key | undefined) => {
      if (key?.ctrl !== true || key.name !== 'z') return;
      // Before the process stops, in the same turn: whoever comes next finds a clean screen.
      screen.write(`${up((memory.frame?.head.length ?? 1) - 1)}\r\x1b[J${pastes.off}`);
    };
    const hearResize = () => {
      const { columns, rows: height } = screen.size();
      const lines = memory.frame ? [...memory.frame.head, ...memory.frame.body] : [];
      // Then the terminal has broken lines, or lost some, and nobody knows where the picker begins.
      if (lines.length > height || lines.some((one) => displayWidth(one) > columns))
        screen.write(clearScreen);
      drawAgain({});
    };
    const hearContinue = () => {
      screen.takeBack();
      if (!memory.isDrawnAnew) drawBelow();
      memory.isDrawnAnew = false;
    };
    input.prependListener('data', hear).prependListener('keypress', hearStop);
    const stops = [screen.onResize(hearResize), screen.onContinue(hearContinue)];
    return () => {
      screen.write(pastes.off);
      input.off('data', hear).off('keypress', hearStop);
      for (const stop of stops) stop();
    };
  }, []);

  useKeypress((key: Key, line) => {
    if (status === 'done') return;
    // The package's own line would be one that nobody sees.
    line.clearLine(0);
    if (key.name === 'paste-start') {
      memory.pasted = '';
    } else if (key.name === 'paste-end') {
      const text = memory.pasted ?? '';
      memory.pasted = undefined;
      take(paste(state, text));
    } else if (memory.pasted !== undefined) {
      memory.pasted += key.sequence ?? '';
    } else if (key.ctrl === true && key.name === 'z') {
      memory.isDrawnAnew = true;
      drawBelow();
    } else if (key.ctrl === true && key.name === 'l') {
      screen.write(clearScreen);
      drawAgain({});
    } else if (key.ctrl === true && (key.name === 'c' || key.name === 'd')) {
      // Ends the question, elsewhere.
    } else {
      const page = memory.frame?.page ?? 1;
      take(press(state, key, { rows, several: config.several, page, seen: memory.seen }));
    }
  });

  if (status === 'done') {
    const [only] = picked;
    const row = picked.length === 1 && only !== undefined ? rows[only] : undefined;
    const answer = row ? [row.title, row.details[0] ?? ''].join('  ').trimEnd() : `${picked.length} of them`;
    const prefix = typeof theme.prefix === 'string' ? theme.prefix : (theme.prefix['done'] ?? '');
    return `${prefix} ${theme.style.message(config.message, status)} ${theme.style.answer(answer)}`;
  }
  const frame = draw(config, state, screen.size(), {
    highlight: theme.style.highlight,
    faint: theme.style.help,
  });
  memory.frame = frame;
  return [frame.head.join('\n'), frame.body.join('\n')];
});
