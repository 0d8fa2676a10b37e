// Shows the picker as a prompt on a terminal. picker/ has the keys and the layout; the prompt package draws the frame.

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
import { bell, bracketedPaste, createQuestion, type QuestionConfig } from './question.ts';
import { displayWidth } from './width.ts';
import { measure, wrap } from './wrap.ts';

/** What a picker needs from the terminal besides the package. */
export interface Screen {
  size(): Size;
  /** Returns a function that removes the listener. */
  onResize(listener: () => void): () => void;
}

export interface PickerConfig extends QuestionConfig, Picker {
  readonly screen: Screen;
  /** What the user typed before the list appeared. */
  readonly initialQuery: string;
}

const clearScreen = '\x1b[H\x1b[J';
const up = (lines: number) => (lines > 0 ? `\x1b[${lines}A` : '');

/** State that outlives a redraw. */
interface DrawState {
  frame: Frame | undefined;
  /** What was on the screen when the last keys arrived. */
  lastScreen: VisibleRows;
}

const nothingVisible: VisibleRows = { highlighted: undefined, shown: [] };

/** Answers with the indices of the picked rows. */
export const pickerQuestion = createQuestion<readonly number[], PickerConfig>((config, parts) => {
  const { rows, screen, keyInput, write } = config;
  const { style, prefix, isDone, redraw, useRef, useState } = parts;
  const [state, setState] = useState<PickerState>(initialState(config.initialQuery));
  const [picked, setPicked] = useState<readonly number[]>([]);
  const memory = useRef<DrawState>({ frame: undefined, lastScreen: nothingVisible }).current;
  const current = useRef(state);
  current.current = state;

  const applyStep = (step: Step) => {
    if (step === undefined) return write(bell);
    if ('leaves' in step) return keyInput.cancel();
    if ('state' in step) {
      // The filter has changed, so the user could not know which row is where.
      if (step.state.query !== state.query) memory.lastScreen = { ...memory.lastScreen, shown: [] };
      return setState(step.state);
    }
    setPicked(step.picked);
    parts.answer(step.picked);
  };
  /** Leaves the current screen content, and draws below it. */
  const redrawBelow = () => {
    const below = memory.frame?.body.length ?? 0;
    const above = (memory.frame?.head.length ?? 1) - 1;
    // The package moves down over the body and clears upwards, so make room for that.
    write(`\r${'\n'.repeat(below + above)}${up(below)}${bracketedPaste.on}`);
    redraw();
  };

  parts.useEffect(() => {
    const onRead = () => {
      memory.lastScreen = {
        highlighted: highlightedRow(rows, current.current),
        shown: memory.frame?.shown ?? [],
      };
    };
    const onResize = () => {
      const { columns, rows: height } = screen.size();
      const lines = memory.frame ? [...memory.frame.head, ...memory.frame.body] : [];
      // The terminal has wrapped or lost lines, so the start of the picker is unknown: clear the screen.
      if (lines.length > height || lines.some((line) => displayWidth(line) > columns)) write(clearScreen);
      redraw();
    };
    keyInput.input.on('chunk', onRead);
    const stop = screen.onResize(onResize);
    return () => {
      keyInput.input.off('chunk', onRead);
      stop();
    };
  }, []);

  parts.useKeypress((key: Key, line) => {
    if (isDone) return;
    // Empty the package's own input line, which is not shown.
    line.clearLine(0);
    if (key.name === 'paste') {
      applyStep(handlePaste(state, key.sequence ?? ''));
    } else if (key.name === 'stop') {
      // Clean up in the same turn, before the process stops and the shell draws its prompt.
      write(`${up((memory.frame?.head.length ?? 1) - 1)}\r\x1b[J${bracketedPaste.off}`);
    } else if (key.name === 'continue') {
      redrawBelow();
    } else if (key.ctrl === true && key.name === 'l') {
      write(clearScreen);
      redraw();
    } else if (key.ctrl === true && key.name === 'c') {
      // The caller ends the question.
    } else {
      const pageSize = memory.frame?.pageSize ?? 1;
      applyStep(
        handleKey(state, key, { rows, multiple: config.multiple, pageSize, lastScreen: memory.lastScreen }),
      );
    }
  });

  if (isDone) {
    const [firstIndex] = picked;
    const row = picked.length === 1 && firstIndex !== undefined ? rows[firstIndex] : undefined;
    const answer = row ? [row.title, row.details[0] ?? ''].join('  ').trimEnd() : `${picked.length} selected`;
    const width = screen.size().columns - 1;
    const wrapLines = (text: string) => wrap(measure(text), width).join('\n');
    // The package would break a long line anywhere, such as in an id.
    const gap = displayWidth(`? ${config.message} ${answer}`) <= width ? ' ' : '\n';
    const question = wrapLines(`? ${config.message}`).slice(2);
    return `${prefix} ${style.message(question, 'done')}${gap}${style.answer(wrapLines(answer))}`;
  }
  const frame = drawFrame(config, state, screen.size(), {
    highlight: style.highlight,
    faint: style.help,
  });
  memory.frame = frame;
  return [frame.head.join('\n'), frame.body.join('\n')];
});
