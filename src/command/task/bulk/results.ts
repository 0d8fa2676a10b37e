// The results of a bulk on standard output, a row each: JSON lines or tab-separated ones. Written together where many come
// at once, and never ahead of a reader who is slow by more than a little. Knows which of them have left, so that
// `--resume` can report the others.

import type { RecordedError } from '../../../bulk/journal.ts';
import type { RowResult } from '../../../bulk/send-all.ts';
import type { JsonObject } from '../../../client/response.ts';
import type { TaskUpdate } from '../../../contract/task.ts';
import { escapeTabCell, sanitizeLine } from '../../../terminal/sanitize.ts';
import type { Output, Secrets } from '../../../world/world.ts';

export type TaskResult = RowResult<TaskUpdate, JsonObject | undefined>;

export interface ResultWriter {
  /** Never throws. */
  add(result: TaskResult): Promise<void> | undefined;
  /** Never rejects. */
  flush(): Promise<void>;
}

export interface ResultEvents {
  /** Hears of the rows with a response whose results have left, by their lines. */
  onReported(lines: readonly number[]): void;
  /** Hears once that standard output cannot be written. */
  onBroken(error: unknown): void;
}

export interface ResultWriterOptions extends ResultEvents {
  readonly json: boolean;
  readonly secrets: Pick<Secrets, 'redact' | 'redactJson'>;
  /** Why rows failed in an earlier run, by their lines. */
  readonly reasons: ReadonlyMap<number, RecordedError>;
}

/** Characters that wait for a slow reader before the bulk waits too. */
const maxBuffered = 64 * 1024;

/** On a terminal only what was not updated is listed: a person watches the count. */
export function createResultWriter(
  output: Output,
  { json, secrets, reasons, onReported, onBroken }: ResultWriterOptions,
): ResultWriter {
  const { isTerminal } = output;
  let waiting = '';
  let lines: number[] = [];
  let writing: Promise<void> | undefined;
  let isBroken = false;
  const write = async (): Promise<void> => {
    // Not at once: what is reported together goes together, and `writing` is set by then.
    await undefined;
    try {
      while (waiting !== '' || lines.length > 0) {
        const text = waiting;
        const some = lines;
        waiting = '';
        lines = [];
        if (text !== '') await output.write(text, { isRedacted: true });
        // What nobody takes any more has not arrived.
        if (some.length > 0 && !output.isReaderGone) onReported(some);
      }
    } catch (error) {
      isBroken = true;
      onBroken(error);
    }
    writing = undefined;
  };
  return {
    add(result) {
      if (isBroken) return undefined;
      const outcome = rowOutcome(result, reasons);
      if (outcome !== 'unknown' && outcome !== 'unsent') lines.push(result.item.line);
      if (!isTerminal || json || outcome !== 'updated') {
        const text = json ? secrets.redactJson(jsonLine(result, reasons)) : tabLine(result, reasons, secrets);
        waiting += `${isTerminal ? sanitizeLine(text) : text}\n`;
      }
      writing ??= write();
      return waiting.length > maxBuffered ? writing : undefined;
    },
    async flush() {
      await (writing ?? write());
    },
  };
}

export type RowOutcome = 'updated' | 'failed' | 'refused' | 'unknown' | 'unsent';
type Reasons = ResultWriterOptions['reasons'];

export function rowOutcome({ item, outcome, earlier }: TaskResult, reasons: Reasons): RowOutcome {
  if (earlier === 'done') return 'updated';
  if (earlier === 'failed') {
    return 'invalid' in item || reasons.get(item.line)?.code === 'usage' ? 'refused' : 'failed';
  }
  if (!outcome) return 'refused';
  if (outcome.kind === 'done') return 'updated';
  return outcome.kind === 'hopeless' ? 'unsent' : outcome.kind;
}

export function rowReason({ item, outcome, earlier }: TaskResult, reasons: Reasons): string {
  if (earlier !== undefined) return reasons.get(item.line)?.message ?? '';
  if ('invalid' in item) return item.invalid;
  if (!outcome || outcome.kind === 'done') return '';
  return outcome.failure.sentence;
}

function jsonLine(result: TaskResult, reasons: Reasons): JsonObject {
  const { item, outcome, earlier } = result;
  const row = { line: item.line, id: item.id ?? null, outcome: rowOutcome(result, reasons) };
  // The journal has kept the outcome of an earlier run, and not the task.
  if (earlier === 'done') return { ...row, task: null };
  if (outcome?.kind === 'done') return { ...row, task: outcome.record ?? null };
  if (outcome) return { ...row, ...outcome.failure.toJSON() };
  const { code = 'usage', httpStatus } = reasons.get(item.line) ?? {};
  return { ...row, error: { code, message: rowReason(result, reasons), httpStatus } };
}

function tabLine(result: TaskResult, reasons: Reasons, { redact }: Pick<Secrets, 'redact'>): string {
  const { item } = result;
  return `${item.line}\t${redact(item.id ?? '')}\t${rowOutcome(result, reasons)}\t${escapeTabCell(redact(rowReason(result, reasons)))}`;
}
