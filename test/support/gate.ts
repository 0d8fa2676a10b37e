// What one part of a test waits for, until another part opens it.

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Holds something, such as a response, at a known moment until the test lets it go. */
export interface Checkpoint extends Gate {
  /** It is there, and waits. */
  readonly reached: Promise<void>;
  reach(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export function checkpoint(): Checkpoint {
  const [{ opened: reached, open: reach }, { opened, open }] = [gate(), gate()];
  return { reached, reach, opened, open };
}
