// The real file system, in which one call, or every call from one on, fails: the disk is full, the disk is broken, or it
// takes half of what is written. Calls are counted by name, so that a test can let the first fail, the second, and so on
// until there is none left.

import fs from 'node:fs';
import type { FileHandle, FileSystem } from '#world/file-system.ts';

export const faults = ['ENOSPC', 'ENOSPC for good', 'EIO', 'EIO for good', 'short'] as const;
export type Fault = (typeof faults)[number];

export interface Plan {
  /** Counted from 0. */
  readonly at: number;
  readonly fault: Fault;
}

export interface FaultySystem {
  readonly system: FileSystem;
  /** Every call so far: `rename /tmp/x/tokens/default.json`. */
  readonly calls: readonly string[];
  /** The calls that failed. */
  readonly struck: readonly string[];
  /** From now on all is well, as after somebody has made room. */
  mend(): void;
  /** Is told of each call before it is made; one that it never resolves is a process that was killed there. */
  before: (call: string) => Promise<void> | undefined;
  /** Closes what a killed process has left open. */
  close(): Promise<void>;
}

/** What needs room on the disk. */
const takesRoom = new Set(['open', 'write', 'sync', 'mkdir', 'mkdtemp', 'rename', 'truncate']);

/** As the system names them, where we do otherwise. */
const syscalls: Readonly<Record<string, string>> = {
  'open-to-read': 'open',
  sync: 'fsync',
  truncate: 'ftruncate',
  chmod: 'fchmod',
  chown: 'fchown',
  readdir: 'scandir',
};

export function createFaultySystem(plan?: Plan): FaultySystem {
  const calls: string[] = [];
  const struck: string[] = [];
  let isMended = false;
  let isHalved = false;

  const error = (code: 'ENOSPC' | 'EIO', name: string, path: string) => {
    const syscall = syscalls[name] ?? name;
    const why = code === 'EIO' ? 'i/o error' : 'no space left on device';
    return Object.assign(new Error(`${code}: ${why}, ${syscall} '${path}'`), { code, syscall, path });
  };
  /** Throws where this call is to fail; true where it is to take half. */
  const pass = (name: string, path: string): boolean => {
    const call = `${name} ${path}`;
    const at = calls.push(call) - 1;
    if (!plan || isMended) return false;
    const { fault } = plan;
    if (fault === 'short') {
      if (isHalved && name === 'write') {
        isHalved = false;
        struck.push(call);
        throw error('ENOSPC', name, path);
      }
      isHalved = at === plan.at && name === 'write';
      return isHalved;
    }
    const isDue = fault.endsWith('for good') ? at >= plan.at : at === plan.at;
    const code = fault.startsWith('EIO') ? 'EIO' : 'ENOSPC';
    if (!isDue || (code === 'ENOSPC' && !takesRoom.has(name))) return false;
    struck.push(call);
    throw error(code, name, path);
  };
  const halfOf = (length: number, isHalf: boolean) => (isHalf ? Math.ceil(length / 2) : length);

  const faulty: FaultySystem = {
    calls,
    struck,
    mend() {
      isMended = true;
    },
    before: () => undefined,
    async close() {
      for (const file of handles) await file.close().catch(() => {});
    },
    get system() {
      return system;
    },
  };
  const asked = async (name: string, path: string) => {
    await faulty.before(`${name} ${path}`);
    return pass(name, path);
  };

  const paths = new Map<number, string>();
  const handles = new Set<fs.promises.FileHandle>();
  const opened = (file: fs.promises.FileHandle, path: string): FileHandle => {
    paths.set(file.fd, path);
    handles.add(file);
    return {
      fd: file.fd,
      async write(bytes, offset, length, position) {
        const isHalf = await asked('write', path);
        return file.write(bytes, offset, halfOf(length, isHalf), position);
      },
      async read(into, offset, length, position) {
        await asked('read', path);
        return file.read(into, offset, length, position);
      },
      async truncate(length) {
        await asked('truncate', path);
        await file.truncate(length);
      },
      async sync() {
        await asked('sync', path);
        await file.sync();
      },
      async datasync() {
        await asked('sync', path);
        await file.datasync();
      },
      async stat(options) {
        await asked('stat', path);
        return file.stat(options);
      },
      async chmod(mode) {
        await asked('chmod', path);
        await file.chmod(mode);
      },
      async chown(user, group) {
        await asked('chown', path);
        await file.chown(user, group);
      },
      createReadStream: (options) => file.createReadStream(options),
      async close() {
        paths.delete(file.fd);
        handles.delete(file);
        // The descriptor is gone, whatever the system says.
        await file.close();
        await asked('close', path);
      },
    };
  };
  const { promises: disk } = fs;
  const system: FileSystem = {
    promises: {
      async open(path, flags, mode) {
        await asked(typeof flags === 'number' || flags.startsWith('r') ? 'open-to-read' : 'open', path);
        return opened(await disk.open(path, flags, mode), path);
      },
      async stat(path, options) {
        await asked('stat', path);
        return disk.stat(path, options);
      },
      async statfs(path) {
        await asked('statfs', path);
        return disk.statfs(path);
      },
      async realpath(path) {
        await asked('realpath', path);
        return disk.realpath(path);
      },
      async readlink(path) {
        await asked('readlink', path);
        return disk.readlink(path);
      },
      async readdir(path) {
        await asked('readdir', path);
        return disk.readdir(path);
      },
      async mkdir(path, options) {
        await asked('mkdir', path);
        return disk.mkdir(path, options);
      },
      async mkdtemp(prefix) {
        await asked('mkdtemp', prefix);
        return disk.mkdtemp(prefix);
      },
      async rename(from, to) {
        await asked('rename', to);
        await disk.rename(from, to);
      },
      async unlink(path) {
        await asked('unlink', path);
        await disk.unlink(path);
      },
      async rm(path, options) {
        await asked('rm', path);
        await disk.rm(path, options);
      },
    },
    readFileSync(path) {
      pass('read', path);
      return fs.readFileSync(path);
    },
    realpathSync: { native: (path) => fs.realpathSync.native(path) },
    readdirSync(path) {
      pass('readdir', path);
      return fs.readdirSync(path);
    },
    statSync(path, options) {
      pass('stat', path);
      return fs.statSync(path, options);
    },
    lstatSync(path, options) {
      pass('lstat', path);
      return fs.lstatSync(path, options);
    },
    openSync(path, flags, mode) {
      pass('open', path);
      const descriptor = fs.openSync(path, flags, mode);
      paths.set(descriptor, path);
      return descriptor;
    },
    closeSync(descriptor) {
      const path = paths.get(descriptor) ?? '';
      paths.delete(descriptor);
      fs.closeSync(descriptor);
      pass('close', path);
    },
    fstatSync: (descriptor, options) => fs.fstatSync(descriptor, options),
    writeSync(descriptor, bytes, offset, length = bytes.length - offset, position) {
      const isHalf = pass('write', paths.get(descriptor) ?? '');
      return fs.writeSync(descriptor, bytes, offset, halfOf(length, isHalf), position);
    },
    ftruncateSync(descriptor, length) {
      pass('truncate', paths.get(descriptor) ?? '');
      fs.ftruncateSync(descriptor, length);
    },
    close: (descriptor, done) => fs.close(descriptor, done),
  };
  return faulty;
}
