// The functions of Node's file system that files.ts and lock.ts use, each of which a test can make fail as a broken disk does.

import type { BigIntStats } from 'node:fs';

export interface FileSystem {
  /** Node loads these on first use. Most commands touch only one small file. */
  readonly promises: {
    open(path: string, flags: string | number, mode?: number): Promise<FileHandle>;
    stat(path: string, options: { readonly bigint: true }): Promise<FileStats>;
    /** The free space of the disk that contains the path. */
    statfs(path: string): Promise<{ readonly bavail: number; readonly bsize: number }>;
    realpath(path: string): Promise<string>;
    readlink(path: string): Promise<string>;
    readdir(path: string): Promise<string[]>;
    mkdir(path: string, options: { readonly mode: number }): Promise<unknown>;
    mkdtemp(prefix: string): Promise<string>;
    rename(from: string, to: string): Promise<void>;
    unlink(path: string): Promise<void>;
    rm(
      path: string,
      options: { readonly recursive: true; readonly force: true; readonly maxRetries: number },
    ): Promise<void>;
  };
  readFileSync(path: string): Uint8Array;
  /** The native one returns the name as the disk spells it. */
  readonly realpathSync: { native(path: string): string };
  readdirSync(path: string): string[];
  /** Returns `undefined` if nothing exists there: an error, with its stack, would take longer than the call. */
  statSync(
    path: string,
    options: { readonly bigint: true; readonly throwIfNoEntry: false },
  ): FileStats | undefined;
  lstatSync: FileSystem['statSync'];
  openSync(path: string, flags: number, mode: number): number;
  closeSync(descriptor: number): void;
  fstatSync(descriptor: number, options: { readonly bigint: true }): FileStats;
  /** May write only a part; returns its length. */
  writeSync(
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length?: number,
    position?: number,
  ): number;
  ftruncateSync(descriptor: number, length: number): void;
  close(descriptor: number, callback: () => void): void;
}

export interface FileHandle {
  readonly fd: number;
  /** May write only a part. */
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  /** May read only a part; reads 0 bytes at the end of the file. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  stat(options: { readonly bigint: true }): Promise<FileStats>;
  chmod(mode: number): Promise<void>;
  chown(user: number, group: number): Promise<void>;
  createReadStream(options: {
    readonly highWaterMark: number;
    readonly start: number;
  }): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export type FileStats = Pick<
  BigIntStats,
  'dev' | 'ino' | 'size' | 'nlink' | 'uid' | 'gid' | 'mode' | 'mtimeNs'
> &
  Pick<BigIntStats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>;
