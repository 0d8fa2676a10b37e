// The maps of the store. That of the tasks also lists the ids of each folder and account in order of priority, so that the cost of a
// page does not depend on the number of tasks in the account.

interface ListedTask {
  readonly id: string;
  readonly accountId: string;
  readonly parentIds: readonly string[];
  /** Its ordering key. */
  readonly priority: string;
}

/** The folders and the account that list a task. Folders and accounts have different ids. */
const containerIds = ({ accountId, parentIds }: ListedTask): readonly string[] => [accountId, ...parentIds];

type Position = Pick<ListedTask, 'priority' | 'id'>;

/** Ids decide between equal priorities. */
export function comparePriority(a: Position, b: Position): number {
  if (a.priority !== b.priority) return a.priority < b.priority ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The index of the first element for which `isBefore` is false. */
export function lowerBound<T>(sorted: readonly T[], isBefore: (element: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = sorted[middle];
    if (element !== undefined && isBefore(element)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As `RecordChange` in store.ts, of one list. */
type OnChange = (id?: string) => void;

/** A map of records, which change only as a whole. */
export class RecordMap<T> extends Map<string, T> {
  readonly #onChange: OnChange;

  constructor(onChange: OnChange) {
    super();
    this.#onChange = onChange;
  }

  override set(id: string, record: T): this {
    this.#onChange(id);
    return super.set(id, record);
  }

  override delete(id: string): boolean {
    this.#onChange(id);
    return super.delete(id);
  }

  override clear(): void {
    this.#onChange();
    super.clear();
  }
}

export class TaskMap<T extends ListedTask = ListedTask> extends RecordMap<T> {
  readonly #lists = new Map<string, string[]>();
  /** Counts the changes of tasks. */
  version = 0;
  /** The ids of the latest of them. */
  #changedIds: string[] = [];

  /** The tasks that changed after this version; undefined if any task may have, as when folders change. */
  changedSince(version: number): ReadonlySet<string> | undefined {
    const count = this.version - version;
    return count > this.#changedIds.length
      ? undefined
      : new Set(this.#changedIds.slice(this.#changedIds.length - count));
  }

  #noteChange(id: string): void {
    this.version++;
    if (this.#changedIds.length >= 2_000) this.#changedIds = this.#changedIds.slice(-1_000);
    this.#changedIds.push(id);
  }

  /** To be called for a change outside of tasks that decides which tasks a list has. */
  noteAllChanged(): void {
    this.version++;
    this.#changedIds = [];
  }

  /** The ids of the tasks in a folder or an account, deleted ones included, by priority. The list changes with the tasks. */
  idsIn(containerId: string): readonly string[] {
    return this.#lists.get(containerId) ?? [];
  }

  override set(id: string, task: T): this {
    this.#noteChange(id);
    const { priority, parentIds, accountId } = task;
    const old = this.get(id);
    if (old?.priority === priority && old.parentIds === parentIds && old.accountId === accountId)
      return super.set(id, task);
    if (old !== undefined) this.#unlist(old);
    super.set(id, task);
    for (const containerId of containerIds(task)) {
      const ids = this.#lists.get(containerId);
      if (ids === undefined) this.#lists.set(containerId, [id]);
      else this.#insert(ids, task);
    }
    return this;
  }

  override delete(id: string): boolean {
    this.#noteChange(id);
    const task = this.get(id);
    if (task !== undefined) this.#unlist(task);
    return super.delete(id);
  }

  override clear(): void {
    this.noteAllChanged();
    this.#lists.clear();
    super.clear();
  }

  #insert(ids: string[], task: T): void {
    const last = this.get(ids.at(-1) ?? '');
    // Most tasks are created at the end.
    if (last !== undefined && comparePriority(last, task) < 0) ids.push(task.id);
    else ids.splice(this.positionIn(ids, task), 0, task.id);
  }

  /** The task must still be in the map: the search needs its priority. */
  #unlist(task: T): void {
    for (const containerId of containerIds(task)) {
      const ids = this.#lists.get(containerId) ?? [];
      const position = this.positionIn(ids, task);
      if (ids[position] === task.id) ids.splice(position, 1);
      if (ids.length === 0) this.#lists.delete(containerId);
    }
  }

  /** The index of a task in a list of {@link idsIn}, or where it would be. */
  positionIn(ids: readonly string[], task: Position): number {
    return lowerBound(ids, (id) => {
      const listed = this.get(id);
      return listed !== undefined && comparePriority(listed, task) < 0;
    });
  }
}
