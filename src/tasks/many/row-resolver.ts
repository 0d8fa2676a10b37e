// Turns an id and its values into a row that can be sent, or into an invalid row with the reason. Names are resolved
// once for the whole input, and only if there are any.

import type { Row, Source } from '#bulk/row.ts';
import type { Context } from '#cli/context.ts';
import { idFromLink, isIdShaped, isPermalink, isTitle } from '#cli/resolve/id-shape.ts';
import { createDateReader, type DateReader, hasSlashedDate } from '#cli/slashed-dates.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { identifier } from '#contract/identifier.ts';
import { formatValue, invalidValue, ValidationError } from '#contract/schema.ts';
import type { Task, TaskDates, TaskUpdate } from '#contract/task.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import type { BuiltUpdate } from '../input/build-update.ts';
import { idsThatMayBeNames, isResolved, type UnresolvedUpdate } from '../input/unresolved-update.ts';
import { validateUpdate } from '../input/validate-update.ts';
import type { NameLists } from '../names/name-lists.ts';
import { isWord } from '../select/task-text.ts';

export type TaskRow = Row<TaskUpdate>;

export type ParsedRow = BuiltUpdate & { readonly id: string };

type ResolverContext = Pick<
  Context,
  'session' | 'common' | 'commandLine' | 'world' | 'timeoutMs' | 'report' | 'isDryRun'
>;

const maxRelativeDates = 10;

const taskId = identifier('TaskId');

export type RowResolver = ReturnType<typeof createRowResolver>;

/** `now`: milliseconds since 1970, from which relative dates are counted. `earlierIds`: of an earlier run, by the lines of the rows. */
export function createRowResolver(lookUps: LookUps, now: number, earlierIds?: ReadonlyMap<number, string>) {
  /** The relative dates of the rows so far, with their dates; only the first ones of many. */
  const relativeDates = new Map<string, string>();
  const isReady = (row: ParsedRow): row is ParsedRow & { readonly update: TaskUpdate } =>
    row.isPlain === true || (isResolved(row.update) && lookUps.areIds(row.update));
  /** `keepingStart`: the dates of the row, and its task, if the row has the id. */
  const lookUp = (
    line: number,
    source: Source,
    id: string,
    update: UnresolvedUpdate,
    keepingStart?: { readonly dates: TaskDates; readonly task: ReturnType<LookUps['readTask']> | undefined },
  ): Promise<TaskRow> =>
    lookUps.inTurn(async () => {
      try {
        const taskId = await lookUps.taskIdOf(id);
        const resolved = await lookUps.resolveUpdate(update, now);
        if (!keepingStart) return { line, source, id: taskId, update: resolved };
        const dates = await lookUps.withStartOf(taskId, keepingStart.dates, await keepingStart.task);
        return { line, source, id: taskId, update: { ...resolved, dates } };
      } catch (error) {
        return { line, source, id, invalid: reasonOfInvalid(error) };
      }
    });
  return {
    now,
    relativeDates,
    lookUps,
    earlierIds,
    /** The failure of a row. If its id is nearly the title of a task, the failure asks for that title. */
    explain(id: string, failure: Failure): Failure | Promise<Failure> {
      if (failure.code !== 'not_found' || !isPlainWord(id)) return failure;
      return lookUps.suggestTitle(id, failure);
    },
    /** `likelyId`: before the row is parsed. `parse` throws a {@link ValidationError} or a usage failure for a row that cannot be sent. */
    resolve<T>(
      line: number,
      source: Source,
      likelyId: string | undefined,
      row: T,
      parse: (row: T) => ParsedRow,
    ): TaskRow | Promise<TaskRow> {
      let id = likelyId;
      try {
        const parsed = parse(row);
        const { update } = parsed;
        // The first run may have renamed the task, and another may have the title now.
        const text = earlierIds?.get(line) ?? parsed.id;
        for (const { typed, date } of parsed.relativeDates)
          if (relativeDates.size < maxRelativeDates) relativeDates.set(typed, date);
        id = parseTaskId(text);
        const isTaskLookedUp = id === undefined;
        id ??= text;
        const dueDateAlone = validateUpdate(parsed);
        if (dueDateAlone) {
          if (!parsed.keepsStart)
            throw usageError(
              `A due date alone (${dueDateAlone.due}) would turn a planned task into a milestone`,
              'If the task has a start, keep it with --keep-start. To make the task a milestone, add --milestone.',
              'the service would drop its start and duration',
            );
          // Read in this turn, with the tasks of other rows.
          const task = isTaskLookedUp ? undefined : lookUps.readTask(id);
          return lookUp(line, source, id, update, { dates: dueDateAlone, task });
        }
        if (!isTaskLookedUp && isReady(parsed)) return { line, source, id, update: parsed.update };
        return lookUp(line, source, id, update);
      } catch (error) {
        return { line, source, id, invalid: reasonOfInvalid(error) };
      }
    },
  };
}

/** For rows that mean the same dates and tasks as in an earlier run. What was looked up stays. */
export function resolverAt(resolver: RowResolver, now: number, earlierIds = resolver.earlierIds) {
  if (now === resolver.now && earlierIds === resolver.earlierIds) return resolver;
  return createRowResolver(resolver.lookUps, now, earlierIds);
}

type LookUps = ReturnType<typeof createLookUps>;

/** The requests for names, tasks and the date format. Everything is requested once for the whole input. */
export function createLookUps(context: ResolverContext) {
  /** True once a task was looked up by a title or a permalink. */
  let hasTasks = false;
  let nameLists: Promise<NameLists> | undefined;
  let dateReader: Promise<DateReader> | undefined;
  let dates: DateReader | undefined;
  /** Ids that were looked up and are not names. */
  const confirmedIds = new Set<string>();
  let lastRow: Promise<unknown> = Promise.resolve();
  /** Converts dates such as 14/12/2026 to the contract's form, if --date-order or the account's date format decides. */
  const readDates = async (text: string): Promise<string> => {
    if (!hasSlashedDate(text)) return text;
    dateReader ??= createDateReader(context);
    dates = await dateReader;
    return dates.readDates(text);
  };
  const lists = (): Promise<NameLists> => {
    nameLists ??= import('../names/name-lists.ts').then(({ createNameLists }) => ({
      ...createNameLists(context.session, context),
      readDates,
    }));
    return nameLists;
  };
  /** True if no id of the update needs a look-up. A dry run looks up words only. */
  const areIds = (update: TaskUpdate): boolean =>
    idsThatMayBeNames(update).every(
      (id) => confirmedIds.has(id) || (context.isDryRun && !/^(?:task|folder) [^\d=]+$/.test(id)),
    );
  return {
    hasTasks: () => hasTasks,
    readTask: createTaskReader(context),
    areIds,
    readDates,
    /** Reads dates such as 14/12/2026; undefined before the first. */
    dates: () => dates,
    /** Resolves the rows one after the other, except for requests that they share. `resolve` never rejects for a fault of its row. */
    inTurn(resolve: () => Promise<TaskRow>): Promise<TaskRow> {
      const resolved = lastRow.then(resolve);
      lastRow = resolved.catch(() => {});
      return resolved;
    },
    async withStartOf(id: string, dates: TaskDates, task: Task | Failure | undefined): Promise<TaskDates> {
      const { withStartOf } = await import('../one/due-date-alone.ts');
      return withStartOf(context, id, dates, task);
    },
    async taskIdOf(text: string): Promise<string> {
      hasTasks ||= isLookedUp(text);
      if (isPermalink(text)) return (await lists()).byPermalink('task', text);
      if (!isPlainWord(text) && !isTitle(text)) return text;
      const { idOfTitle, idOfWord } = await import('../names/resolve-names.ts');
      if (isPlainWord(text)) return (await idOfWord(await lists(), 'task', text)) ?? text;
      return idOfTitle(await lists(), undefined, 'task', text);
    },
    async suggestTitle(word: string, failure: Failure): Promise<Failure> {
      const { readOrNone } = await import('#cli/read-pages.ts');
      const { byTitle } = await lists();
      const tasks = await readOrNone(() => byTitle('task', word));
      const titles = tasks.flatMap(({ title }) => title ?? []);
      const question = didYouMean(word, titles, formatValue);
      return question === undefined
        ? failure
        : failure.with({ why: [failure.why, question].filter(Boolean).join('. ') });
    },
    async resolveUpdate(update: UnresolvedUpdate, now: number): Promise<TaskUpdate> {
      const { resolveNames, resolveNamesLikeIds } = await import('../names/resolve-names.ts');
      const withIds = isResolved(update) ? update : await resolveNames(update, await lists(), now);
      if (areIds(withIds)) return withIds;
      const renamed = await resolveNamesLikeIds(withIds, await lists(), now);
      if (renamed !== undefined) return renamed;
      for (const id of idsThatMayBeNames(withIds)) confirmedIds.add(id);
      return withIds;
    },
  };
}

/** A word without a digit is hardly an id, even if the service's ids have another form. */
const isPlainWord = (text: string) => isWord(text) && /^[a-z][^\d=]*$/i.test(text);

const isLookedUp = (text: string) =>
  !isIdShaped(text) && (isPermalink(text) || isTitle(text) || isPlainWord(text));

/** Reads the tasks that are requested in the same turn with one request. Undefined for a task that the response lacks. */
function createTaskReader(context: Pick<Context, 'session'>) {
  let next: { readonly ids: Set<string>; readonly tasks: Promise<readonly Task[] | Failure> } | undefined;
  return async (id: string) => {
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
    return tasks instanceof Failure ? tasks : tasks.find((task) => task.id === id);
  };
}

/** Undefined for a text that is looked up. */
function parseTaskId(idOrLink: string): string | undefined {
  // The shape first: nearly every row has it, and the other tests would take a tenth of a plan's time.
  if (isIdShaped(idOrLink)) return taskId.validate(idOrLink);
  if (isLookedUp(idOrLink)) return undefined;
  if (idOrLink.trim() === '') throw new ValidationError('the row', 'has no id');
  const id = taskId.validate(idFromLink(idOrLink));
  if (id === '.' || id === '..') throw invalidValue(id, 'cannot stand in the path of a URL');
  return id;
}

/** Rethrows errors that are not the row's fault. */
function reasonOfInvalid(error: unknown): string {
  if (error instanceof ValidationError) return error.message;
  // The task could not be read for its start.
  if (error instanceof Failure && (error.code === 'not_found' || error.code === 'forbidden'))
    return error.message;
  if (error instanceof Failure && error.code === 'usage') {
    const reason = error.why === undefined ? error.message : `${error.message}; ${error.why}`;
    return error.hint === undefined ? reason : `${reason}. ${error.hint.split('\n')[0]}`;
  }
  throw error;
}
