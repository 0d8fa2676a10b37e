// The part of fs-native-extensions that lock.ts uses; the package brings no types of its own.

declare module 'fs-native-extensions' {
  /** False where another open file, of this process or of another one, holds the lock. */
  export function tryLock(
    descriptor: number,
    offset?: number,
    length?: number,
    options?: { readonly shared: boolean },
  ): boolean;
  export function unlock(descriptor: number, offset?: number, length?: number): void;
}
