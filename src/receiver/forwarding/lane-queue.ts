// Keeps order where it matters: an item belongs to one or more lanes, and is released once it is first in each of them. All lanes
// are in the order of arrival, so the oldest item is first in each of its lanes, and no item can wait for ever.

export interface LaneQueue<T> {
  /** True if it is released at once. `lanes`: each once, at least one. */
  add(item: T, lanes: readonly string[]): boolean;
  /** Removes a released item. Returns the items that this releases. */
  finish(item: T): readonly T[];
  readonly size: number;
  /** The first that was added of those that are still there. */
  oldest(): T | undefined;
}

interface Place<T> {
  readonly item: T;
  readonly lanes: readonly string[];
  /** Lanes in which it is not the first. */
  behind: number;
}

/** An empty lane takes no memory. */
export function createLaneQueue<T>(): LaneQueue<T> {
  const places = new Map<T, Place<T>>();
  // A Set keeps the order of insertion, and removes its first element without moving the others.
  const lanes = new Map<string, Set<Place<T>>>();
  return {
    get size() {
      return places.size;
    },
    oldest: () => places.keys().next().value,
    add(item, names) {
      const place: Place<T> = { item, lanes: names, behind: 0 };
      places.set(item, place);
      for (const name of names) {
        const lane = lanes.get(name) ?? new Set();
        lanes.set(name, lane);
        if (lane.size > 0) place.behind += 1;
        lane.add(place);
      }
      return place.behind === 0;
    },
    finish(item) {
      const place = places.get(item);
      if (place?.behind !== 0) throw new Error('Only a released item can be finished, and only once');
      places.delete(item);
      const released: T[] = [];
      for (const name of place.lanes) {
        const lane = lanes.get(name);
        lane?.delete(place);
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
