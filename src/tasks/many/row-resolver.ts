// Turns an id and its values into a row that can be sent, or into an invalid row with the reason. Names are resolved
// once for the whole input, and only if there are any.

import type { Row, Source, ValidRow } from '#bulk/row.ts';
import type { Context } from '#cli/context.ts';
import { isIdShaped, isTitle } from '#cli/resolve/id-shape.ts';
import { idFromLink, isPermalink } from '#cli/resolve/permalink.ts';
import type { DateReader } from '#cli/slashed-dates.ts';
import { identifier } from '#contract/identifier.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { findStrippedHtml } from '#contract/stripped-html.ts';
import type { Task, TaskDates, TaskUpdate } from '#contract/task.ts';
import { Failure, toFailure } from '#failure.ts';
import type { BuiltUpdate } from '../input/build-update.ts';
import { idsThatMayBeNames, isResolved, type UnresolvedUpdate } from '../input/unresolved-update.ts';
import { assertKeepsStart, validateUpdate } from '../input/validate-update.ts';
import type { NameLists } from '../names/name-lists.ts';
import { isWord } from '../select/task-text.ts';

export type TaskRow = Row<TaskUpdate>;

export interface RowResolver {
  /** Milliseconds since 1970: what relative dates are counted from. */
  readonly now: number;
  /** The relative dates of the rows so far, with their dates; only the first ones of many. */
  readonly relativeDates: ReadonlyMap<string, string>;
  /** What the service drops from descriptions, and how many of the rows so far have it. */
  readonly droppedHtml: ReadonlyMap<string, number>;
  /** True once a row has named its task by a title or a permalink. */
  readonly looksUpTasks: boolean;
  /** A date such as 14/12/2026 in the contract's form, if the account's date format decides. Prints the first one. */
  readDate(cell: string): Promise<string>;
  /** A resolver that keeps what was looked up, and counts relative dates from another moment. */
  at(now: number): RowResolver;
  /** The same, where rows mean the tasks that they meant in an earlier run. `ids`: of that run, by the lines of the rows. */
  recalling(ids: ReadonlyMap<number, string>): RowResolver;
  /** Of the earlier run that is recalled. */
  earlierId(line: number): string | undefined;
  /**
   * `given`: the id, as far as it can be told before the row is understood. `understand` throws a {@link ValidationError} or a
   * usage failure for a row that cannot be sent.
   */
  resolve<T>(
    line: number,
    source: Source,
    given: string | undefined,
    row: T,
    understand: (row: T) => ParsedRow,
  ): TaskRow | Promise<TaskRow>;
}

export interface ParsedRow extends BuiltUpdate {
  readonly id: string;
  readonly allowsClearingDates: boolean;
  readonly keepsStart: boolean;
}

const maxRelativeDates = 10;
const maxDroppedHtml = 50;

const taskId = identifier('TaskId');

export function createRowResolver(
  context: Pick<Context, 'session' | 'common' | 'world' | 'timeoutMs' | 'report'>,
  moment: number,
): RowResolver {
  let directory: Promise<NameLists> | undefined;
  const lists = () => {
    directory ??= import('../names/name-lists.ts').then(({ createNameLists }) =>
      createNameLists(context.session, context),
    );
    return directory;
  };
  const resolved = async (update: UnresolvedUpdate, now: number): Promise<TaskUpdate> => {
    const { resolveNames } = await import('../names/resolve-names.ts');
    return resolveNames(update, await lists(), now);
  };
  /** Ids that were looked up and are not names, so that each is looked up once. */
  const seen = new Set<string>();
  const onlyShown = context.common.dryRun === true || context.common.curl === true;
  /** A dry run looks up words alone. */
  const areIds = (update: TaskUpdate) =>
    idsThatMayBeNames(update).every(
      (id) => seen.has(id) || (onlyShown && !/^(?:task|folder) [^\d=]+$/.test(id)),
    );
  const withNames = async (update: TaskUpdate, now: number): Promise<TaskUpdate> => {
    if (areIds(update)) return update;
    const { resolveNamesLikeIds } = await import('../names/names-like-ids.ts');
    const renamed = await resolveNamesLikeIds(update, await lists(), now);
    if (renamed !== undefined) return renamed;
    for (const id of idsThatMayBeNames(update)) seen.add(id);
    return update;
  };
  let looksUpTasks = false;
  /** `earlier`: what an earlier run found. It may have renamed the task, and the title may now be another's. */
  const taskIdOf = async (text: string, earlier: string | undefined): Promise<string> => {
    if (isLookedUp(text)) {
      looksUpTasks = true;
      if (earlier !== undefined && !isLookedUp(earlier)) return earlier;
    }
    if (isPermalink(text)) return (await lists()).byPermalink('task', text);
    if (isPlainWord(text)) {
      const { idOfWord } = await import('../names/names-like-ids.ts');
      return (await idOfWord(await lists(), 'task', text)) ?? text;
    }
    if (!isTitle(text)) return text;
    const { resolveTaskTitle } = await import('../names/resolve-names.ts');
    return resolveTaskTitle(await lists(), text);
  };
  let dateReader: Promise<DateReader> | undefined;
  let isDatePrinted = false;
  const readDate = async (cell: string): Promise<string> => {
    dateReader ??= import('#cli/slashed-dates.ts').then((one) => one.createDateReader(context));
    const reader = await dateReader;
    const date = reader.readDate(cell);
    if (date !== cell && !isDatePrinted)
      await context.report.info(`${cell} is ${date}: this account writes ${reader.format}`);
    isDatePrinted ||= date !== cell;
    return date;
  };
  const readTask = createTaskReader(context);
  let last: Promise<unknown> = Promise.resolve();
  /** Resolves the rows one after the other, except for requests that they share. */
  const lookUp = (...row: Parameters<typeof lookUpNow>): Promise<TaskRow> => {
    const found = last.then(() => lookUpNow(...row));
    last = found.catch(() => {});
    return found;
  };
  const lookUpNow = async (
    place: Pick<ValidRow<TaskUpdate>, 'line' | 'source' | 'id'>,
    update: UnresolvedUpdate,
    now: number,
    earlier: string | undefined,
    keepingStart?: {
      readonly dates: TaskDates;
      readonly task: Promise<Task | Failure | undefined> | undefined;
    },
  ): Promise<TaskRow> => {
    try {
      const id = await taskIdOf(place.id, earlier);
      const ids = isResolved(update) ? update : await resolved(update, now);
      const named = await withNames(ids, now);
      if (keepingStart === undefined) return { ...place, id, update: named };
      const { withStartOf } = await import('../one/due-date-alone.ts');
      const dates = await withStartOf(context, id, keepingStart.dates, await keepingStart.task);
      return { ...place, id, update: { ...named, dates } };
    } catch (error) {
      return { ...place, invalid: reasonOfInvalid(error) };
    }
  };
  const from = (now: number, ids?: ReadonlyMap<number, string>): RowResolver => {
    const relative = new Map<string, string>();
    const dropped = new Map<string, number>();
    const resolver: RowResolver = {
      now,
      relativeDates: relative,
      droppedHtml: dropped,
      get looksUpTasks() {
        return looksUpTasks;
      },
      readDate,
      at: (other) => (other === now ? resolver : from(other, ids)),
      recalling: (earlier) => from(now, earlier),
      earlierId: (line) => ids?.get(line),
      resolve(line, source, given, row, understand) {
        let id = given;
        try {
          const { id: typed, update, relativeDates, allowsClearingDates, keepsStart } = understand(row);
          for (const one of relativeDates)
            if (relative.size < maxRelativeDates) relative.set(one.typed, one.date);
          const isLinked = isLookedUp(typed);
          id = isLinked ? typed : parseTaskId(typed);
          validateUpdate(
            update,
            allowsClearingDates,
            keepsStart ? 'is checked by the caller' : 'is an error',
          );
          const { description } = update;
          if (description !== undefined)
            for (const what of findStrippedHtml(description).keys())
              if (dropped.size < maxDroppedHtml || dropped.has(what))
                dropped.set(what, (dropped.get(what) ?? 0) + 1);
          if (keepsStart) {
            assertKeepsStart(update);
            const task = isLinked ? undefined : readTask(id);
            return lookUp({ line, source, id }, update, now, ids?.get(line), { dates: update.dates, task });
          }
          if (!isLinked && isResolved(update) && areIds(update)) return { line, source, id, update };
          return lookUp({ line, source, id }, update, now, ids?.get(line));
        } catch (error) {
          return { line, source, id, invalid: reasonOfInvalid(error) };
        }
      },
    };
    return resolver;
  };
  return from(moment);
}

/** A word without a digit: hardly an id, also where the service's ids have another form. */
const isPlainWord = (text: string) => isWord(text) && /^[a-z][^\d=]*$/i.test(text);

// The shape first: nearly every row has it, and the other tests take a tenth of a plan's time.
const isLookedUp = (text: string) =>
  !isIdShaped(text) && (isPermalink(text) || isTitle(text) || isPlainWord(text));

/** Reads tasks that are asked for in the same turn with one request. Undefined for a task that the response lacks. */
function createTaskReader(
  context: Pick<Context, 'session'>,
): (id: string) => Promise<Task | Failure | undefined> {
  let next: { readonly ids: Set<string>; readonly tasks: Promise<readonly Task[] | Failure> } | undefined;
  return async (id) => {
    if (!next) {
      const ids = new Set<string>();
      const read = async () => {
        const { readTasks } = await import('../one/read-task.ts');
        next = undefined;
        return readTasks(await context.session(), [...ids]);
      };
      next = { ids, tasks: read().catch(toFailure) };
    }
    next.ids.add(id);
    const tasks = await next.tasks;
    return tasks instanceof Failure ? tasks : tasks.find((one) => one.id === id);
  };
}

function parseTaskId(given: string): string {
  const id = taskId.validate(idFromLink(given));
  if (id === '.' || id === '..')
    throw new ValidationError(formatValue(id), 'cannot stand in the path of a URL');
  return id;
}

/** Rethrows errors that are not the row's fault. */
function reasonOfInvalid(error: unknown): string {
  if (error instanceof ValidationError) return error.message;
  // Of a task that was read for its start.
  if (error instanceof Failure && (error.code === 'not_found' || error.code === 'forbidden'))
    return error.message;
  if (error instanceof Failure && error.code === 'usage') {
    return [error.message, error.why, error.hint?.split('\n')[0]].filter(Boolean).join('; ');
  }
  throw error;
}
