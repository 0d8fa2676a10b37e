// The tasks by id, and those of each folder and each account in the order of their priority, so that a page of a list costs
// what the page has, however many tasks the account has.

interface ListedTask {
  readonly id: string;
  readonly accountId: string;
  readonly parentIds: readonly string[];
  /** Its ordering key. */
  readonly priority: string;
}

const none: readonly string[] = [];

/** Where a task is listed: its folders, and its account. No folder has the id of an account. */
function placesOf({ accountId, parentIds }: ListedTask): readonly string[] {
  return [accountId, ...parentIds];
}

/** The order of a list. Ids settle a tie. */
export function comparePriority(
  one: Pick<ListedTask, 'priority' | 'id'>,
  other: Pick<ListedTask, 'priority' | 'id'>,
): number {
  if (one.priority !== other.priority) return one.priority < other.priority ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

/** The index of the first element that is not before what is sought; `isBefore` is true for those at the beginning. */
export function lowerBound<T>(sorted: readonly T[], isBefore: (one: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = sorted[middle];
    if (one !== undefined && isBefore(one)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class TaskMap<T extends ListedTask = ListedTask> extends Map<string, T> {
  readonly #places = new Map<string, string[]>();
  #version = 0;

  /** Call it after folders have moved below others while no task changed. */
  forgetLists(): void {
    this.#version++;
  }

  /** Grows with each change of any task, and of where folders are. */
  get version(): number {
    return this.#version;
  }

  /** The ids of the tasks of a folder or an account, also of deleted ones, by priority. Do not keep it: it changes. */
  idsIn(placeId: string): readonly string[] {
    return this.#places.get(placeId) ?? none;
  }

  override set(id: string, task: T): this {
    this.#version++;
    const before = this.get(id);
    if (
      before !== undefined &&
      before.priority === task.priority &&
      before.parentIds === task.parentIds &&
      before.accountId === task.accountId
    )
      return super.set(id, task);
    if (before !== undefined) this.#remove(before);
    super.set(id, task);
    for (const place of placesOf(task)) {
      const ids = this.#places.get(place);
      if (ids === undefined) this.#places.set(place, [id]);
      else this.#insert(ids, task);
    }
    return this;
  }

  override delete(id: string): boolean {
    this.#version++;
    const before = this.get(id);
    if (before !== undefined) this.#remove(before);
    return super.delete(id);
  }

  override clear(): void {
    this.#version++;
    this.#places.clear();
    super.clear();
  }

  #insert(ids: string[], task: T): void {
    const last = this.get(ids.at(-1) ?? '');
    // Most tasks are created at the end.
    if (last !== undefined && comparePriority(last, task) < 0) ids.push(task.id);
    else ids.splice(this.positionIn(ids, task), 0, task.id);
  }

  /** `before` is still in the map, so that the lists are in order while it is looked for. */
  #remove(before: T): void {
    for (const place of placesOf(before)) {
      const ids = this.#places.get(place);
      if (ids === undefined) continue;
      const position = this.positionIn(ids, before);
      if (ids[position] === before.id) ids.splice(position, 1);
      if (ids.length === 0) this.#places.delete(place);
    }
  }

  /** Where a task is in a list of {@link idsIn}, or would be. */
  positionIn(ids: readonly string[], task: Pick<ListedTask, 'priority' | 'id'>): number {
    return lowerBound(ids, (id) => {
      const one = this.get(id);
      return one !== undefined && comparePriority(one, task) < 0;
    });
  }
}
