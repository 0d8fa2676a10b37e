// The results of a bulk, a row each: JSON lines or tab-separated ones. Written together where many come at once, and never
// ahead of a reader who is slow by more than a little.

import { reasonOf as reasonOfFailure } from '../../../bulk/outcome.ts';
import type { Result } from '../../../bulk/slots.ts';
import type { JsonObject } from '../../../client/answer.ts';
import type { TaskUpdate } from '../../../contract/task.ts';
import { safeLine, tabCell } from '../../../terminal/safe.ts';
import type { Output } from '../../../world/world.ts';

export type TaskResult = Result<TaskUpdate, JsonObject | undefined>;

export interface Results {
  add(result: TaskResult): Promise<void> | undefined;
  flush(): Promise<void>;
}

/** Characters that wait for a slow reader before the bulk waits too. */
const mostWaiting = 64 * 1024;

/** On a terminal only what went wrong is listed: a person watches the count. */
export function createResults(output: Output, json: boolean): Results {
  const { isTerminal } = output;
  let waiting = '';
  let writing: Promise<void> | undefined;
  let broken: { readonly error: unknown } | undefined;
  /** Never rejects: who comes next is told. */
  const write = async (): Promise<void> => {
    try {
      while (waiting !== '') {
        const text = waiting;
        waiting = '';
        await output.write(text);
      }
    } catch (error) {
      broken = { error };
    }
    writing = undefined;
  };
  return {
    add(result) {
      if (broken) throw broken.error;
      if (isTerminal && !json && outcomeOf(result) === 'updated') return undefined;
      const text = json ? jsonLine(result) : tabLine(result);
      waiting += `${isTerminal ? safeLine(text) : text}\n`;
      writing ??= write();
      return waiting.length > mostWaiting ? writing : undefined;
    },
    async flush() {
      await (writing ?? write());
      if (broken) throw broken.error;
    },
  };
}

export type RowOutcome = 'updated' | 'failed' | 'refused' | 'unknown' | 'unsent';

export function outcomeOf({ outcome }: TaskResult): RowOutcome {
  if (!outcome) return 'refused';
  if (outcome.kind === 'done') return 'updated';
  return outcome.kind === 'hopeless' ? 'unsent' : outcome.kind;
}

export function reasonOf({ item, outcome }: TaskResult): string {
  if ('refused' in item) return item.refused;
  if (!outcome || outcome.kind === 'done') return '';
  return reasonOfFailure(outcome.failure);
}

function jsonLine(result: TaskResult): string {
  const { item, outcome } = result;
  const row = { line: item.line, id: item.id ?? null, outcome: outcomeOf(result) };
  if (outcome?.kind === 'done') return JSON.stringify({ ...row, task: outcome.record ?? null });
  if (!outcome) return JSON.stringify({ ...row, error: { code: 'usage', message: reasonOf(result) } });
  return JSON.stringify({ ...row, ...outcome.failure.toJSON() });
}

function tabLine(result: TaskResult): string {
  const { item } = result;
  return `${item.line}\t${item.id ?? ''}\t${outcomeOf(result)}\t${tabCell(reasonOf(result))}`;
}
