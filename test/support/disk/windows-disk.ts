// The real file system of the test, with the rules of Windows: what is open cannot be replaced, what was removed while it
// was open is in the way until it is closed, nothing is cut off what is open for appending, a folder is not synced, some
// names are not allowed, both slashes part folders, and case tells no names apart. A scanner may have each file open for a while after it was made.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { win32 } from 'node:path';
import type { FileHandle, FileStats, FileSystem } from '#world/file-system.ts';
import { foldingSystem } from './folding-system.ts';

export interface WindowsRules {
  /** Where a file is removed that is open: its name is gone at once (NTFS), or with the last handle (FAT, a share). */
  readonly removed?: 'at once' | 'when closed';
  /** How many times a call on a file fails before the scanner is through with what was last written to it. */
  readonly scans?: number;
  /** Whether the disk can tell where a path leads. RAM disks and some shares cannot. */
  readonly tellsRealPaths?: boolean;
}

export interface WindowsDisk {
  readonly system: FileSystem;
  /** What failed because of a rule: `EPERM rename /tmp/x`. */
  readonly refused: readonly string[];
  /** Paths that are open. */
  open(): readonly string[];
}

const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const { promises: disk } = fs;

export function createWindowsDisk({
  removed = 'at once',
  scans = 0,
  tellsRealPaths = true,
}: WindowsRules = {}): WindowsDisk {
  const handles = new Map<
    number,
    { readonly path: string; readonly id: string; readonly appends: boolean }
  >();
  const doomed = new Set<string>();
  const scanned = new Map<string, number>();
  /** Written to since they were opened: with that, a scanner begins. */
  const written = new Set<number>();
  const refused: string[] = [];

  const fault = (code: string, syscall: string, path: string) => {
    refused.push(`${code} ${syscall} ${path}`);
    return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
  };
  const idAt = async (path: string) => {
    const found = await disk.stat(path, { bigint: true }).catch(() => undefined);
    return found && `${found.dev}:${found.ino}`;
  };
  const isOpen = (id: string | undefined) => [...handles.values()].some((one) => one.id === id);
  /** Throws while somebody else has it open. */
  const pass = (syscall: string, path: string) => {
    if (doomed.has(path)) throw fault('EPERM', syscall, path);
    const left = scanned.get(path) ?? 0;
    if (left === 0) return;
    scanned.set(path, left - 1);
    throw fault(left % 2 === 0 ? 'EBUSY' : 'EACCES', syscall, path);
  };
  const checkName = (path: string) => {
    const name = win32.basename(path);
    assert.doesNotMatch(name, /[<>:"|?*\\\p{Cc}]|[. ]$/u, `${path}: Windows takes no such name`);
    assert.doesNotMatch(name, device, `${path}: a device of Windows`);
  };
  /** Windows knows no owners and no modes of this kind. */
  const plain = (found: FileStats): FileStats =>
    Object.assign(found, { uid: 0n, gid: 0n, mode: found.isDirectory() ? 0o40666n : 0o100666n });
  const closed = async (descriptor: number) => {
    const one = handles.get(descriptor);
    handles.delete(descriptor);
    if (!one || isOpen(one.id) || !doomed.delete(one.path)) return;
    await disk.unlink(one.path);
  };

  const opened = async (
    file: fs.promises.FileHandle,
    path: string,
    flags: string | number,
  ): Promise<FileHandle> => {
    const { fd } = file;
    const found = await file.stat({ bigint: true });
    const appends = typeof flags === 'string' && flags.startsWith('a');
    handles.set(fd, { path, id: `${found.dev}:${found.ino}`, appends });
    const sync = async () => {
      if (flags === 'r') throw fault('EPERM', 'fsync', path);
      await file.sync();
    };
    return {
      fd,
      write(bytes, offset, length, position) {
        written.add(fd);
        return file.write(bytes, offset, length, position);
      },
      read: (into, offset, length, position) => file.read(into, offset, length, position),
      async truncate(length) {
        if (appends) throw fault('EPERM', 'ftruncate', path);
        await file.truncate(length);
      },
      sync,
      datasync: sync,
      stat: async (options) => plain(await file.stat(options)),
      chmod: async () => {},
      chown: async () => {},
      createReadStream(options) {
        const stream = file.createReadStream(options);
        stream.once('close', () => void closed(fd));
        return stream;
      },
      async close() {
        await file.close();
        await closed(fd);
        if (written.delete(fd)) scanned.set(path, scans);
      },
    };
  };

  const system: FileSystem = {
    promises: {
      async open(path, flags, mode) {
        checkName(path);
        pass('open', path);
        return opened(await disk.open(path, flags, mode), path, flags);
      },
      statfs: (path) => disk.statfs(path),
      async stat(path, options) {
        if (doomed.has(path)) throw fault('EPERM', 'stat', path);
        return plain(await disk.stat(path, options));
      },
      async realpath(path) {
        const real = await disk.realpath(path);
        if (!tellsRealPaths) throw fault('EISDIR', 'realpath', path);
        return real;
      },
      readlink: (path) => disk.readlink(path),
      readdir: (path) => disk.readdir(path),
      mkdir(path) {
        checkName(path);
        return disk.mkdir(path);
      },
      mkdtemp: (prefix) => disk.mkdtemp(prefix),
      async rename(from, to) {
        checkName(to);
        pass('rename', from);
        pass('rename', to);
        if (isOpen(await idAt(to))) throw fault('EPERM', 'rename', to);
        await disk.rename(from, to);
      },
      async unlink(path) {
        pass('unlink', path);
        if (removed === 'at once' || !isOpen(await idAt(path))) return disk.unlink(path);
        doomed.add(path);
      },
      rm: (path, options) => disk.rm(path, options),
    },
    readFileSync(path) {
      pass('open', path);
      return fs.readFileSync(path);
    },
    realpathSync: { native: (path) => fs.realpathSync.native(path) },
    readdirSync: (path) => fs.readdirSync(path),
    statSync(path, options) {
      if (doomed.has(path)) throw fault('EPERM', 'stat', path);
      const stats = fs.statSync(path, options);
      return stats && plain(stats);
    },
    lstatSync: (path, options) => fs.lstatSync(path, options),
    openSync(path, flags, mode) {
      checkName(path);
      pass('open', path);
      return fs.openSync(path, flags, mode);
    },
    closeSync: (descriptor) => fs.closeSync(descriptor),
    fstatSync: (descriptor, options) => plain(fs.fstatSync(descriptor, options)),
    writeSync(descriptor, bytes, offset, length, position) {
      written.add(descriptor);
      const { appends = false } = handles.get(descriptor) ?? {};
      return fs.writeSync(descriptor, bytes, offset, length, appends ? undefined : position);
    },
    ftruncateSync(descriptor, length) {
      const one = handles.get(descriptor);
      if (one?.appends) throw fault('EPERM', 'ftruncate', one.path);
      fs.ftruncateSync(descriptor, length);
    },
    close: (descriptor, done) => fs.close(descriptor, done),
  };
  return {
    system: foldingSystem(system, 'win32'),
    refused,
    open: () => [...handles.values()].map(({ path }) => path),
  };
}
