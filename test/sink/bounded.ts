// Every wait of these tests ends: with what was waited for, or with an error that says what there was instead. A test that hangs
// says nothing.

import { type TestContext, test as unbounded } from 'node:test';

/** Of one wait: servers that choose a leader, and a claim that runs out, take seconds; a busy machine makes it more. */
const waitMs = 60_000;
/** Of a test, if something waits in another way. */
const testMs = 180_000;

/** `said`: for the message, what there is so far. */
export async function within<T>(what: string, waited: Promise<T>, said: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`Not within ${waitMs / 1000} s: ${what}\n${said()}`));
    timer = setTimeout(fail, waitMs);
  });
  return Promise.race([waited, late]).finally(() => clearTimeout(timer));
}

/** Conditions that a test waits for. Each is looked at when the wait begins, and after each change. */
export function createChanges() {
  const checks = new Set<() => void>();
  return {
    changed() {
      for (const check of [...checks]) check();
    },
    until(reached: () => boolean) {
      let check = () => {};
      return new Promise<void>((resolve) => {
        check = () => {
          if (reached()) resolve();
        };
        checks.add(check);
        check();
      }).finally(() => checks.delete(check));
    },
  };
}

/** Tries again and again until there is something; the wait ends the trying too. */
export function untilFound<T>(
  what: string,
  look: () => Promise<T | undefined>,
  said: () => string,
): Promise<T> {
  let isOver = false;
  const again = async (): Promise<T> => {
    for (;;) {
      const result = await look();
      if (result !== undefined) return result;
      if (isOver) throw new Error(said());
    }
  };
  return within(what, again(), said).finally(() => {
    isOver = true;
  });
}

/** As node:test has it, with a limit. */
export function test(name: string, run: (t: TestContext) => Promise<void>, limitMs = testMs): void {
  void unbounded(name, { timeout: limitMs }, run);
}
