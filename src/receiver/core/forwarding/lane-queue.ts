// Decides what may be sent, and in which order. An item is released once it is first in each of its lanes, such as the tasks that a
// delivery is about. Lanes keep the order of arrival, so the oldest item is always released, and no item waits for ever.

interface QueuedItem<T> {
  readonly item: T;
  readonly lanes: readonly string[];
  /** The number of lanes in which the item is not first. */
  behind: number;
}

/** Empty lanes take no memory. */
export function createLaneQueue<T>() {
  const queue = new Map<T, QueuedItem<T>>();
  // A Set keeps the order of insertion, and removes its first element without moving the others.
  const lanes = new Map<string, Set<QueuedItem<T>>>();
  return {
    get size() {
      return queue.size;
    },
    /** All items, oldest first. */
    items: () => queue.keys(),
    /** Returns true if the item is released at once. `names`: at least one lane, each once. */
    add(item: T, names: readonly string[]) {
      const queued: QueuedItem<T> = { item, lanes: names, behind: 0 };
      queue.set(item, queued);
      for (const name of names) {
        const lane = lanes.get(name) ?? new Set();
        lanes.set(name, lane);
        if (lane.size > 0) queued.behind += 1;
        lane.add(queued);
      }
      return queued.behind === 0;
    },
    /** Removes a released item, and returns the items that this releases. */
    finish(item: T): readonly T[] {
      const queued = queue.get(item);
      if (queued?.behind !== 0) throw new Error('Only a released item can be finished, and only once');
      queue.delete(item);
      const released: T[] = [];
      for (const name of queued.lanes) {
        const lane = lanes.get(name);
        lane?.delete(queued);
        const [next] = lane ?? [];
        if (!next) lanes.delete(name);
        else {
          next.behind -= 1;
          if (next.behind === 0) released.push(next.item);
        }
      }
      return released;
    },
  };
}

/** For released deliveries. The oldest leaves it first, in whatever order they came: a failed one comes back. */
export function createReadyQueue<T extends { readonly sequence: number }>() {
  // Oldest last: removing the oldest moves no others.
  let items: T[] = [];
  return {
    get size() {
      return items.length;
    },
    add(item: T) {
      const at = items.findIndex(({ sequence }) => sequence < item.sequence);
      items.splice(at === -1 ? items.length : at, 0, item);
    },
    /** Removes and returns the n-th oldest, from 0. */
    take(position = 0) {
      const index = items.length - 1 - position;
      return index < 0 ? undefined : items.splice(index, 1)[0];
    },
    /** Removes and returns the matching ones, oldest first. */
    takeAll(matches: (item: T) => boolean): readonly T[] {
      const taken = new Set(items.filter(matches));
      items = items.filter((item) => !taken.has(item));
      return [...taken].toReversed();
    },
  };
}
