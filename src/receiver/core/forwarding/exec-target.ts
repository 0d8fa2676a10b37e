// Forwards deliveries to a command: one run for each, with the body on standard input and the exit status as the verdict. Data from the
// service goes only to standard input and variables: a shell never parses it.

import { deliveryHeaders } from '#contract/delivery.ts';
import { type EventRow, events as rows } from '#contract/event.ts';
import { unlessAborted, withinLimit } from '#within-limit.ts';
import type { Child, Environment, StartOptions, World } from '#world/world.ts';
import type { StoredDelivery } from '../intake/delivery-journal.ts';
import { type DeliveredEvent, eventsOf } from '../intake/read-events.ts';
import { type AttemptResult, maxDetailCharacters, type Target } from './target.ts';

export interface ExecTargetOptions {
  /** Starts the user's command in its own process group, with these variables added to the environment of `wm`. */
  start(variables: Environment, run: Required<Pick<StartOptions, 'input' | 'onOutput' | 'onErrors'>>): Child;
  readonly timeoutMs: number;
  /** Gets the command's output at once: hostile text, for standard error. At most 64 KB of each run. */
  onOutput(text: string): void;
}

/** Stands for the command, which is recorded nowhere. */
export const execTargetName = 'exec';

const maxOutput = 64 * 1024;
/** The time between SIGTERM and SIGKILL. */
const graceMs = 5000;

/**
 * The exit statuses of shells and cmd.exe for a command that does not exist or cannot run. The delivery is then not to blame, but a
 * command that runs can exit with them too.
 */
const notStartedStatuses: readonly number[] = [126, 127, 9009];
/** Limits the remembered deliveries for which the command did not start although it started for others. */
const maxBlamed = 10_000;

export function createExecTarget(
  { clock }: Pick<World, 'clock'>,
  { start, timeoutMs, onOutput }: ExecTargetOptions,
): Target {
  const isCommandMissing = createMissingJudge();
  return {
    name: execTargetName,
    async send(delivery, attempt, signal, mayRepeat = false) {
      let printed = 0;
      let detail = '';
      const passOutput = (text: string) => {
        const piece = text.slice(0, maxOutput - printed);
        printed += piece.length;
        detail = (detail + piece).slice(0, maxDetailCharacters);
        if (piece !== '') onOutput(piece);
      };
      const started = clock.monotonic();
      const variables = {
        ...deliveryVariables(delivery, attempt),
        ...(mayRepeat ? { WM_REDELIVERED: '1' } : {}),
      };
      const child = start(variables, { input: delivery.body, onOutput: passOutput, onErrors: passOutput });
      const ending = await untilEnd(child, clock, timeoutMs, signal);
      const milliseconds = Math.round(clock.monotonic() - started);
      const isUnavailable = typeof ending === 'number' && isCommandMissing(delivery.sequence, ending);
      return { ...judge(ending, isUnavailable), milliseconds, ...(detail === '' ? {} : { detail }) };
    },
  };
}

type Ending = number | 'timeout' | 'aborted';

/**
 * Judges from exit statuses whether the command is missing. One delivery suffices while the command has never started; later it takes two
 * with no successful start between them. A delivery that alone prevented a start no longer counts.
 */
function createMissingJudge(): (sequence: number, status: number) => boolean {
  let hasStarted = false;
  /** Deliveries for which the command did not start since its last successful start. */
  const suspects = new Set<number>();
  const blamed = new Set<number>();
  return (sequence, status) => {
    if (!notStartedStatuses.includes(status)) {
      hasStarted = true;
      for (const suspect of suspects) blamed.add(suspect);
      suspects.clear();
      for (const oldest of blamed) {
        if (blamed.size <= maxBlamed) break;
        blamed.delete(oldest);
      }
      return false;
    }
    if (blamed.has(sequence)) return false;
    suspects.add(sequence);
    return !hasStarted || suspects.size > 1;
  };
}

function judge(ending: Ending, isUnavailable: boolean): Pick<AttemptResult, 'verdict' | 'outcome'> {
  // A run that wm ended may have done nothing, whatever its status.
  if (typeof ending === 'string') return { verdict: 'retry', outcome: ending };
  if (ending === 0) return { verdict: 'forwarded', outcome: 'exit 0' };
  return { verdict: isUnavailable ? 'unavailable' : 'retry', outcome: `exit ${ending}` };
}

async function untilEnd(
  child: Child,
  clock: World['clock'],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Ending> {
  const running = unlessAborted(child.exited, signal);
  const ending = await withinLimit(clock, timeoutMs, running, (): Ending => 'timeout');
  // The command's own end decides. If wm ends it, wait for its whole group, which holds the output open.
  if (typeof ending === 'number') child.release();
  else {
    child.kill('SIGTERM');
    await withinLimit(clock, graceMs, child.ended, () => {
      child.kill('SIGKILL');
      // A process that has left the group may keep the output open for ever.
      child.detach();
    });
  }
  return ending;
}

/** Limits each variable: above 128 KB the system does not start the program, and the delivery could never be forwarded. */
const maxVariableLength = 16 * 1024;

/** Sets every variable, even to an empty text. */
function deliveryVariables(delivery: StoredDelivery, attempt: number): Environment {
  const { sequence, headers, idempotencyKey } = delivery;
  const { events } = eventsOf(delivery);
  const signatureName = deliveryHeaders.signature.toLowerCase();
  const signature = headers.find(([name]) => name.toLowerCase() === signatureName)?.[1];
  const table: Readonly<Record<string, EventRow | undefined>> = rows;
  const isTask = ({ eventType }: DeliveredEvent) =>
    Object.hasOwn(table, eventType) && table[eventType]?.subject === 'task';
  return {
    WM_DELIVERY: String(sequence),
    WM_ATTEMPT: String(attempt),
    WM_EVENT: joinVariable(events.map(({ eventType }) => eventType)),
    WM_SUBJECT: joinVariable(events.map(({ subjectId }) => subjectId)),
    WM_TASK: joinVariable(events.filter(isTask).map(({ subjectId }) => subjectId)),
    WM_SIGNATURE: toVariable(signature ?? ''),
    WM_IDEMPOTENCY_KEY: toVariable(idempotencyKey ?? ''),
  };
}

/** Joins as many distinct texts as fit, with commas. */
function joinVariable(texts: readonly (string | undefined)[]): string {
  let list = '';
  for (const text of new Set(texts)) {
    if (text === undefined || text === '') continue;
    const longer = list === '' ? toVariable(text) : `${list},${toVariable(text)}`;
    if (longer.length > maxVariableLength) break;
    list = longer;
  }
  return list;
}

/** Removes U+0000, which a variable cannot hold. */
const toVariable = (text: string) => text.replaceAll('\0', '').slice(0, maxVariableLength);
