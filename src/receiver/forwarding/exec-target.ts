// A command as a target: one run for each delivery, with the body on its standard input, and its exit status as the verdict. What the
// service sent reaches it only there and in variables, never in what a shell parses.

import { deliveryHeaders } from '#contract/delivery.ts';
import { type EventRow, events as rows } from '#contract/event.ts';
import type { Child, Environment, StartOptions, World } from '#world/world.ts';
import { type DeliveredEvent, type DeliveredEvents, eventsOf } from '../intake/read-events.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import type { AttemptResult, Target } from './target.ts';

export interface ExecTargetOptions {
  /** Starts the user's command in a process group of its own, with these variables besides those of `wm`. */
  start(variables: Environment, run: CommandRun): Child;
  readonly timeoutMs: number;
  /** Gets what the command prints, as it prints it: hostile text, for standard error. At most 64 KB of one run. */
  onOutput(text: string, delivery: StoredDelivery): void;
}

export type CommandRun = Required<Pick<StartOptions, 'input' | 'onOutput' | 'onErrors'>>;

const maxOutput = 64 * 1024;
const maxDetail = 1000;
/** Between SIGTERM and SIGKILL. */
const graceMs = 5000;

/**
 * The exit statuses of shells and of cmd.exe for a command that does not exist or cannot run. It would not start for another
 * delivery either, so no delivery is to blame. But a command that starts can also exit with them.
 */
const notStarted: readonly number[] = [126, 127, 9009];
/** Deliveries that are remembered: each for which it did not start, while it did for others. */
const mostBlamed = 10_000;

export function createExecTarget(
  { clock }: Pick<World, 'clock'>,
  { start, timeoutMs, onOutput }: ExecTargetOptions,
): Target {
  const isMissing = createMissingJudge();
  return {
    name: 'exec',
    async send(delivery, attempt, signal, mayRepeat = false) {
      let printed = 0;
      let detail = '';
      const pass = (text: string) => {
        const piece = text.slice(0, maxOutput - printed);
        printed += piece.length;
        detail = (detail + piece).slice(0, maxDetail);
        if (piece !== '') onOutput(piece, delivery);
      };
      const started = clock.monotonic();
      const variables = {
        ...deliveryVariables(delivery, attempt, eventsOf(delivery)),
        ...(mayRepeat ? { WM_REDELIVERED: '1' } : {}),
      };
      const child = start(variables, { input: delivery.body, onOutput: pass, onErrors: pass });
      const ending = await untilEnd(child, clock, timeoutMs, signal);
      const milliseconds = Math.round(clock.monotonic() - started);
      const isUnavailable = typeof ending === 'number' && isMissing(delivery.sequence, ending);
      return { ...judge(ending, isUnavailable), milliseconds, ...(detail === '' ? {} : { detail }) };
    },
  };
}

/** The exit status, or why it was ended. */
type Ending = number | 'timeout' | 'aborted';

/**
 * Whether the command is missing for all deliveries, as far as its statuses say. One delivery says so only while the command has never
 * started; later it takes a second one, with no run that did start in between. A delivery for which it did not start, while it did
 * for others, says nothing any more.
 */
function createMissingJudge(): (sequence: number, status: number) => boolean {
  let hasStarted = false;
  /** Those for which it has not started since the last run that did. */
  const suspects = new Set<number>();
  const blamed = new Set<number>();
  return (sequence, status) => {
    if (!notStarted.includes(status)) {
      hasStarted = true;
      for (const one of suspects) blamed.add(one);
      suspects.clear();
      for (const oldest of blamed) {
        if (blamed.size <= mostBlamed) break;
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
  // A run that was ended may have done nothing, whatever its status.
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
  let reason: 'timeout' | 'aborted' | undefined;
  const { promise: killed, resolve: isKilled } = withResolver();
  let limit = clock.limit(timeoutMs, () => end('timeout'));
  const end = (why: 'timeout' | 'aborted') => {
    if (reason !== undefined) return;
    reason = why;
    limit.cancel();
    child.kill('SIGTERM');
    limit = clock.limit(graceMs, () => {
      child.kill('SIGKILL');
      // What has left its group may keep its output open for ever.
      child.detach();
      isKilled();
    });
  };
  const abort = () => end('aborted');
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const status = await Promise.race([child.exited, killed]);
  // Its own end decides. One that was to end has ended with all that it started, which has its output open until then.
  if (reason !== undefined) await Promise.race([child.ended, killed]);
  else child.release();
  limit.cancel();
  signal.removeEventListener('abort', abort);
  return reason ?? status ?? 'aborted';
}

function withResolver(): { readonly promise: Promise<undefined>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<undefined>((settle) => {
    resolve = () => settle(undefined);
  });
  return { promise, resolve };
}

/** The system starts no program with a variable of more than 128 KB, so one delivery could never be forwarded. */
const maxLength = 16 * 1024;

/** Every variable is set, empty or not. */
function deliveryVariables(
  { sequence, headers, idempotencyKey }: StoredDelivery,
  attempt: number,
  { events }: DeliveredEvents,
): Environment {
  const signature = headers.find(
    ([name]) => name.toLowerCase() === deliveryHeaders.signature.toLowerCase(),
  )?.[1];
  const table: Readonly<Record<string, EventRow | undefined>> = rows;
  const isTask = ({ eventType }: DeliveredEvent) =>
    Object.hasOwn(table, eventType) && table[eventType]?.subject === 'task';
  return {
    WM_DELIVERY: String(sequence),
    WM_ATTEMPT: String(attempt),
    WM_EVENT: listOf(events.map(({ eventType }) => eventType)),
    WM_SUBJECT: listOf(events.map(({ subjectId }) => subjectId)),
    WM_TASK: listOf(events.filter(isTask).map(({ subjectId }) => subjectId)),
    WM_SIGNATURE: variableOf(signature ?? ''),
    WM_IDEMPOTENCY_KEY: variableOf(idempotencyKey ?? ''),
  };
}

/** As many as fit, without repetitions, separated by commas. */
function listOf(texts: readonly (string | undefined)[]): string {
  let list = '';
  for (const text of new Set(texts)) {
    if (text === undefined || text === '') continue;
    const longer = list === '' ? variableOf(text) : `${list},${variableOf(text)}`;
    if (longer.length > maxLength) break;
    list = longer;
  }
  return list;
}

/** No variable can hold U+0000. */
const variableOf = (text: string) => text.replaceAll('\0', '').slice(0, maxLength);
