// The results of a bulk whose ids were typed: the tasks themselves, in the order of the ids, as a single id prints its
// task, so that the output does not depend on how many ids there are. What failed is said on standard error by its id.

import type { RecordedError } from '../../../bulk/journal.ts';
import type { RowStates } from '../../../bulk/row-states.ts';
import { operations } from '../../../contract/operation.ts';
import { readLeniently } from '../../../contract/schema.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type FieldOnRequest, taskColumnsWith, taskLinesWith, withFields } from '../display/columns.ts';
import { readNames } from '../display/names.ts';
import type { ResultEvents, ResultWriter, TaskResult } from './results.ts';

export interface TaskWriterOptions extends ResultEvents {
  readonly fields: readonly FieldOnRequest[] | undefined;
  /** Of an earlier run: what it has reported does not come again. */
  readonly states: Pick<RowStates, 'isReported'>;
  /** Why ids failed in an earlier run, by their lines. */
  readonly reasons: ReadonlyMap<number, RecordedError>;
}

/** The lines are the places of the ids, from 1. In a pipe each task is printed as soon as those before it are. */
export function createTaskWriter(
  context: Pick<Context, 'world' | 'account' | 'report' | 'common' | 'timeoutMs'>,
  { fields, states, reasons, onReported, onBroken }: TaskWriterOptions,
): ResultWriter {
  const { world, report } = context;
  const { output, errors } = world.streams;
  // A table needs all of its rows, and a line of progress is not to be written over.
  const waitsForAll = output.isTerminal || errors.isTerminal;
  /** By line, until those before it are there. */
  const early = new Map<number, TaskResult>();
  let next = 1;
  let ready: TaskResult[] = [];
  let writing: Promise<void> | undefined;
  let isBroken = false;

  const print = async (results: readonly TaskResult[]): Promise<void> => {
    const raw = results.flatMap(({ outcome }) => (outcome?.kind === 'done' ? (outcome.record ?? []) : []));
    const records = raw.map((one) => readLeniently(operations.updateTask.record, one));
    const names = await readNames(context, records);
    await report.each({
      columns: withFields(taskColumnsWith(names), fields),
      details: withFields(taskLinesWith(names), fields),
      records,
      raw,
    });
  };

  const say = async (result: TaskResult): Promise<void> => {
    const failure = failureOf(result, reasons);
    if (failure) await report.failure(failure);
    else if (result.earlier === 'done')
      await report.info(
        `${result.item.id} was updated by an earlier run. To see it: wm task get ${result.item.id}`,
      );
  };

  const writeOut = async (results: readonly TaskResult[]): Promise<void> => {
    const left: TaskResult[] = [];
    try {
      for (const result of results) {
        await say(result);
        if (result.outcome?.kind !== 'done') left.push(result);
      }
      if (!isBroken) {
        await print(results);
        // What nobody takes any more has not arrived.
        if (!output.isReaderGone) left.push(...results.filter(({ outcome }) => outcome?.kind === 'done'));
      }
    } catch (error) {
      isBroken = true;
      onBroken(error);
    }
    const lines = left.filter(hasResponse).map(({ item }) => item.line);
    if (lines.length > 0) onReported(lines);
  };

  const write = async (): Promise<void> => {
    // Not at once: what comes together is printed together, and `writing` is set by then.
    await undefined;
    while (ready.length > 0) await writeOut(ready.splice(0));
    writing = undefined;
  };

  return {
    add(result) {
      early.set(result.item.line, result);
      if (waitsForAll) return undefined;
      for (;;) {
        const one = early.get(next);
        if (!one && !states.isReported(next)) break;
        if (one) ready.push(one);
        early.delete(next);
        next++;
      }
      if (ready.length > 0) writing ??= write();
      return undefined;
    },
    async flush() {
      await writing;
      // Some before them were not sent, and have no result.
      ready = [...early.values()].toSorted((one, other) => one.item.line - other.item.line);
      early.clear();
      await write();
    },
  };
}

function hasResponse({ outcome, earlier }: TaskResult): boolean {
  if (earlier !== undefined || !outcome) return true;
  return outcome.kind === 'done' || outcome.kind === 'failed';
}

/** Nothing for a task that was updated. */
function failureOf({ item, outcome, earlier }: TaskResult, reasons: TaskWriterOptions['reasons']) {
  const { id = '' } = item;
  if (earlier === 'failed') {
    const { message: why, httpStatus } = reasons.get(item.line) ?? {};
    return new Failure('other', { message: `${id} failed in an earlier run`, why, httpStatus });
  }
  if (earlier === 'done') return undefined;
  if (!outcome)
    return 'invalid' in item ? new Failure('usage', { message: `${id}: ${item.invalid}` }) : undefined;
  return outcome.kind === 'done' ? undefined : withId(outcome.failure, id);
}

function withId(failure: Failure, id: string): Failure {
  if (failure.message.includes(id)) return failure;
  return failure.with({ message: `${id}: ${failure.message}` });
}
