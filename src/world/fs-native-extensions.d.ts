// The part of fs-native-extensions that lock.ts uses. The package has no types.

declare module 'fs-native-extensions' {
  /** Returns false if another open file holds the lock, in this process or another. */
  export function tryLock(
    descriptor: number,
    offset?: number,
    length?: number,
    options?: { readonly shared: boolean },
  ): boolean;
  export function unlock(descriptor: number, offset?: number, length?: number): void;
}
