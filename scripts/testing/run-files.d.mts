// The types of run-files.mjs, for the test that imports it.

export interface TestEvent {
  readonly kind: 'begins' | 'ends' | 'test' | 'suite' | 'file' | 'output';
  readonly file?: string;
  readonly name?: string;
  readonly failure?: string;
  readonly skip?: string;
  /** Only tests inside it failed. */
  readonly isParent?: boolean;
  readonly text?: string;
  readonly ms?: number;
}

export function runFiles(
  files: readonly { readonly name: string; readonly path: string }[],
  options: {
    readonly folder: string;
    readonly environment: NodeJS.ProcessEnv;
    readonly processes: number;
    readonly limitMs: number;
    startTimer?(ms: number, expire: () => void): () => void;
    on(event: TestEvent): void;
  },
): Promise<void>;
