// Shows the picker of picker/ as a prompt; the package draws the frame. The only file that imports that package.

import {
  createPrompt,
  makeTheme,
  type Theme,
  useEffect,
  useKeypress,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core';
import { bell, type KeyInput } from './key-input.ts';
import { filterRows } from './picker/entry.ts';
import {
  handleKey,
  handlePaste,
  highlightedRow,
  initialState,
  type Key,
  type PickerState,
  type Step,
  type VisibleRows,
} from './picker/keys.ts';
import { drawFrame, type Frame, type Picker, type Size } from './picker/screen.ts';
import type { PickList } from './prompt.ts';
import { unchanged } from './style.ts';
import { displayWidth } from './width.ts';
import { measure, wrap } from './wrap.ts';

export interface QuestionConfig {
  readonly message: string;
  readonly theme: Theme;
  readonly keyInput: KeyInput;
  readonly output: NodeJS.WritableStream;
  readonly size: () => Size;
}

interface PickerConfig extends QuestionConfig, Omit<Picker, 'rows'> {
  readonly list: PickList;
  /** What the user typed before the list appeared. */
  readonly initialQuery: string;
}

const clearScreen = '\x1b[H\x1b[J';
const up = (lines: number) => (lines > 0 ? `\x1b[${lines}A` : '');
const noFrame: Frame = { head: [''], body: [], shown: [], pageSize: 1 };
const nothingVisible: VisibleRows = { highlighted: undefined, shown: [] };

/** The package's theme without colours: the package ignores --no-color and, on Node 20, NO_COLOR. */
const plainTheme = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: unchanged,
    message: unchanged,
    error: (text: string) => `> ${text}`,
    defaultAnswer: (text: string) => `(${text})`,
    help: unchanged,
    highlight: unchanged,
  },
};

/** Breaks a question between words: the package would break it anywhere. */
export function createTheme(inColour: boolean, inAscii: boolean, columns: () => number): Theme {
  const theme: Theme = makeTheme(inColour ? {} : plainTheme, inAscii ? { prefix: '?' } : {});
  const message: Theme['style']['message'] = (text, status) => {
    // Leaves room for the (y/N) that the package adds.
    const lines = wrap(measure(`? ${text}`), columns() - (status === 'done' ? 1 : 7));
    return theme.style.message(lines.join('\n').slice(2), status);
  };
  return { ...theme, style: { ...theme.style, message } };
}

export const pickerQuestion = createPrompt<readonly number[], PickerConfig>((config, done) => {
  const { list, size, keyInput, output, theme } = config;
  const { rows } = list;
  const { style } = theme;
  const [picked, setPicked] = useState<readonly number[]>();
  const prefix = usePrefix({ status: picked ? 'done' : 'idle', theme });
  const [, drawAgain] = useState({});
  const redraw = () => drawAgain({});
  const [state, setState] = useState<PickerState>(initialState(config.initialQuery));
  /** Outlives a redraw. `lastScreen`: what was on the screen when the last keys arrived. */
  const memory = useRef({ frame: noFrame, lastScreen: nothingVisible }).current;
  const current = useRef(state);
  current.current = state;

  const applyStep = (step: Step) => {
    if (step === undefined) return void output.write(bell);
    if ('leaves' in step) return keyInput.cancel();
    if ('state' in step) {
      // The filter has changed, so the user could not know which row is where.
      if (step.state.query !== state.query) memory.lastScreen = { ...memory.lastScreen, shown: [] };
      return setState(step.state);
    }
    setPicked(step.picked);
    keyInput.stopDelivery();
    done(step.picked);
  };
  /** Leaves the current screen content, and draws below it. */
  const redrawBelow = () => {
    const { head, body } = memory.frame;
    // The package moves down over the body and clears upwards, so make room for that.
    output.write(`\r${'\n'.repeat(body.length + head.length - 1)}${up(body.length)}`);
    redraw();
  };

  useEffect(() => {
    const onRead = () => {
      const { shown } = memory.frame;
      memory.lastScreen = { highlighted: highlightedRow(list.rows, current.current), shown };
    };
    const onResize = () => {
      const { columns, rows: height } = size();
      const lines = [...memory.frame.head, ...memory.frame.body];
      // The terminal has wrapped or lost lines, so the start of the picker is unknown: clear the screen.
      if (lines.length > height || lines.some((line) => displayWidth(line) > columns))
        output.write(clearScreen);
      redraw();
    };
    keyInput.input.on('chunk', onRead);
    output.on('resize', onResize);
    return () => {
      keyInput.input.off('chunk', onRead);
      output.off('resize', onResize);
    };
  }, []);

  const isReading = !list.isComplete && filterRows(rows, state.query).length === 0;
  useEffect(() => {
    let isOpen = true;
    if (isReading) void list.addRows().then(() => isOpen && redraw());
    return () => {
      isOpen = false;
    };
  }, [isReading]);

  useKeypress((key: Key, line) => {
    if (picked) return;
    // Empty the package's own input line, which is not shown.
    line.clearLine(0);
    if (key.name === 'paste') {
      applyStep(handlePaste(state, key.sequence ?? ''));
    } else if (key.name === 'stop') {
      // Clean up in the same turn, before the process stops and the shell draws its prompt.
      output.write(`${up(memory.frame.head.length - 1)}\r\x1b[J`);
    } else if (key.name === 'continue') {
      redrawBelow();
    } else if (key.ctrl === true && key.name === 'l') {
      output.write(clearScreen);
      redraw();
    } else if (key.ctrl !== true || key.name !== 'c') {
      // The caller ends the question after Ctrl-C.
      const { lastScreen, frame } = memory;
      const view = { rows, multiple: config.multiple, pageSize: frame.pageSize, lastScreen };
      applyStep(handleKey(state, key, view));
    }
  });

  if (picked) {
    const [firstIndex] = picked;
    const row = picked.length === 1 && firstIndex !== undefined ? rows[firstIndex] : undefined;
    const answer = row ? [row.title, row.details[0] ?? ''].join('  ').trimEnd() : `${picked.length} selected`;
    const width = size().columns - 1;
    const gap = displayWidth(`? ${config.message} ${answer}`) <= width ? ' ' : '\n';
    const lines = wrap(measure(answer), width).join('\n');
    return `${prefix} ${style.message(config.message, 'done')}${gap}${style.answer(lines)}`;
  }
  memory.frame = drawFrame({ ...config, rows, isReading }, state, size(), {
    highlight: style.highlight,
    faint: style.help,
  });
  const { head, body } = memory.frame;
  return [head.join('\n'), body.join('\n')];
});
