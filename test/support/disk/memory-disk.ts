// A disk in memory that keeps apart what was written and what was synced: of a file its content, of a folder its names. A power cut
// takes what was not synced, a full or broken disk fails a call, and the kernel locks an open file.

import { createRandom, type Random } from '#test/support/random.ts';
import type { FileHandle, FileStats, FileSystem } from '#world/file-system.ts';
import type { KernelLock } from '#world/lock.ts';

/** After a power cut, all that was not synced is lost or kept, has its length but zeros as content, or is a mixture of these. */
export const powerCuts = [
  'power cut, lost',
  'power cut, kept',
  'power cut, zeros',
  'power cut, torn',
] as const;
export type PowerCut = (typeof powerCuts)[number];

/** A call that changes the disk. `room`: a full disk fails it. */
export interface DiskStep {
  readonly name: string;
  readonly kind: 'write' | 'room' | 'disk';
}

/** Of a write, how much the system takes. */
export type Share = (length: number) => number;

/** Who calls the file system: it decides when a call takes effect, if at all, and has files open. */
export interface DiskUser {
  /** `leastMs`: how long it takes at least. */
  call<T>(step: DiskStep | undefined, effect: (share: Share) => T, leastMs?: number): Promise<T>;
  now<T>(step: DiskStep | undefined, effect: (share: Share) => T): T;
  readonly files: OpenFiles;
}

/** Waits for `step` before each call that changes the disk; `stepNow` is told of those that do not wait, and may throw. */
export function userOf(
  step: (name: string) => Promise<void> = async () => {},
  stepNow: (name: string) => void = () => {},
): DiskUser {
  const whole: Share = (length) => length;
  return {
    async call(change, effect) {
      if (change) await step(change.name);
      return effect(whole);
    },
    now(change, effect) {
      if (change) stepNow(change.name);
      return effect(whole);
    },
    files: new OpenFiles(),
  };
}

/** What files and folders have in common. */
class Entry {
  readonly inode: bigint;
  mode = 0o700;
  modified = 0;
  links = 1n;

  constructor(inode: bigint) {
    this.inode = inode;
  }
}

/** A write, or a cut. */
type Change = (content: Buffer) => Buffer;

/** Ends a sync: what it covered is on the disk, or it failed. */
type EndSync = (isOnDisk: boolean) => void;

class FileNode extends Entry {
  cached: Buffer = Buffer.alloc(0);
  synced: Buffer = this.cached;
  readonly locks = new Map<OpenFile, 'shared' | 'exclusive'>();
  #changes: readonly Change[] = [];

  change(change: Change): void {
    this.cached = change(this.cached);
    this.#changes = [...this.#changes, change];
  }

  /** A sync that failed has dropped what it covered: the next one says nothing about it. */
  beginSync(): EndSync {
    const covered = new Set(this.#changes);
    return (isOnDisk) => {
      if (isOnDisk)
        for (const change of this.#changes) if (covered.has(change)) this.synced = change(this.synced);
      this.#changes = this.#changes.filter((change) => !covered.has(change));
    };
  }

  /** All that may be on the disk: nothing dropped. */
  get pending(): Buffer {
    return this.#changes.reduce((content, change) => change(content), this.synced);
  }

  startWith(content: Buffer): void {
    this.cached = this.synced = content;
    this.#changes = [];
  }
}

class FolderNode extends Entry {
  cached = new Map<string, Node>();
  synced = new Map<string, Node>();

  beginSync(): EndSync {
    const names = new Map(this.cached);
    return (isOnDisk) => {
      if (isOnDisk) this.synced = names;
    };
  }
}

type Node = FileNode | FolderNode;

/** One open file, which several processes may share. The kernel's lock is its own, and ends with its last descriptor. */
export class OpenFile {
  readonly node: Node;
  readonly path: string;
  users = 1;

  constructor(node: Node, path: string) {
    this.node = node;
    this.path = path;
  }

  leave(): void {
    if (--this.users === 0 && this.node instanceof FileNode) this.node.locks.delete(this);
  }
}

/** The open files of a process, by descriptor. */
export class OpenFiles {
  readonly #files = new Map<number, OpenFile>();
  #last = 2;

  /** Returns its descriptor. */
  add(file: OpenFile): number {
    this.#files.set(++this.#last, file);
    return this.#last;
  }

  /** Throws EBADF. */
  get(descriptor: number): OpenFile {
    const file = this.#files.get(descriptor);
    if (!file) throw fault('EBADF', `use ${descriptor}`);
    return file;
  }

  close(descriptor: number): void {
    this.#files.get(descriptor)?.leave();
    this.#files.delete(descriptor);
  }

  closeAll(): void {
    for (const descriptor of [...this.#files.keys()]) this.close(descriptor);
  }
}

export class MemoryDisk {
  freeBytes = 2 ** 40;
  /** How long a sync takes at least. */
  syncMs = 0;
  /** A write found no room. */
  wasFull = false;
  readonly #root = new FolderNode(0n);
  #inodes = 0n;
  readonly #random: Random;
  readonly #now: () => number;

  /** `random`: for what a power cut leaves of a mixture. `now`: milliseconds, for the times of files. */
  constructor(random: Random = createRandom(1), now: () => number = () => 0) {
    this.#random = random;
    this.#now = now;
  }

  /** What the path leads to, if anything. */
  find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of path.split('/').filter(Boolean)) {
      if (node === undefined) return undefined;
      if (node instanceof FileNode) throw fault('ENOTDIR', `open ${path}`);
      node = node.cached.get(name);
    }
    return node;
  }

  content(path: string): Buffer | undefined {
    const node = this.find(path);
    return node instanceof FileNode ? node.cached : undefined;
  }

  text(path: string): string | undefined {
    return this.content(path)?.toString();
  }

  /** All files: each path, and what the file holds. */
  *texts(node: Node = this.#root, path = ''): Iterable<[string, string]> {
    if (node instanceof FileNode) yield [path, node.cached.toString()];
    else for (const [name, below] of node.cached) yield* this.texts(below, `${path}/${name}`);
  }

  /** The names in a folder; none if it does not exist. */
  names(path: string): readonly string[] {
    const node = this.find(path);
    return node instanceof FolderNode ? [...node.cached.keys()] : [];
  }

  /** Puts a file there, synced, with the folders above it. */
  put(path: string, content: string | Uint8Array): void {
    const names = path.split('/').filter(Boolean);
    const last = names.pop() ?? '';
    let folder = this.#root;
    const add = (name: string, node: Node) => {
      folder.cached.set(name, node);
      folder.synced.set(name, node);
    };
    for (const name of names) {
      const below = folder.cached.get(name) ?? new FolderNode(++this.#inodes);
      if (below instanceof FileNode) throw fault('ENOTDIR', `mkdir ${path}`);
      add(name, below);
      folder = below;
    }
    const file = new FileNode(++this.#inodes);
    file.startWith(Buffer.from(content));
    add(last, file);
  }

  remove(path: string): void {
    const place = this.#place(path);
    place?.folder.cached.delete(place.name);
    place?.folder.synced.delete(place.name);
  }

  crash(cut: PowerCut): void {
    const random = this.#random;
    const content = ({ synced, pending }: FileNode): Buffer => {
      const zeros = () => Buffer.concat([synced, Buffer.alloc(Math.max(0, pending.length - synced.length))]);
      if (cut === 'power cut, lost') return synced;
      if (cut === 'power cut, kept') return pending;
      if (cut === 'power cut, zeros') return zeros();
      const from = Math.min(pending.length, synced.length + random.below(300));
      const holed = Buffer.from(pending).fill(0, from, Math.min(pending.length, from + random.below(200)));
      return random.one([synced, pending, zeros(), pending.subarray(0, from), holed]);
    };
    const keepsName = () => (cut === 'power cut, torn' ? random.chance(0.5) : cut !== 'power cut, lost');
    const settle = (node: Node) => {
      if (node instanceof FileNode) {
        node.startWith(content(node));
        node.locks.clear();
        return;
      }
      for (const name of new Set([...node.cached.keys(), ...node.synced.keys()])) {
        const [last, synced] = [node.cached.get(name), node.synced.get(name)];
        const found = last === synced || keepsName() ? last : synced;
        if (found) node.cached.set(name, found);
        else node.cached.delete(name);
      }
      node.synced = new Map(node.cached);
      for (const below of node.cached.values()) settle(below);
    };
    const used = usedBy(this.#root);
    settle(this.#root);
    this.freeBytes += used - usedBy(this.#root);
  }

  /** Throws ENOSPC. */
  #take(bytes: number, path: string): void {
    if (bytes <= 0) return;
    if (bytes > this.freeBytes) {
      this.wasFull = true;
      throw fault('ENOSPC', `write ${path}`);
    }
    this.freeBytes -= bytes;
  }

  #release(node: Node): void {
    node.links = 0n;
    if (node instanceof FileNode) this.freeBytes += node.cached.length;
  }

  #place(path: string): { readonly folder: FolderNode; readonly name: string } | undefined {
    const at = path.lastIndexOf('/');
    const folder = this.find(path.slice(0, at));
    return folder instanceof FolderNode ? { folder, name: path.slice(at + 1) } : undefined;
  }

  /** Throws ENOENT. */
  #need(path: string, call: string): Node {
    const node = this.find(path);
    if (!node) throw fault('ENOENT', `${call} ${path}`);
    return node;
  }

  /** The file system as one process sees it. */
  systemOf(process: DiskUser): FileSystem {
    const statsOf = (node: Node): FileStats => ({
      dev: 1n,
      ino: node.inode,
      size: node instanceof FileNode ? BigInt(node.cached.length) : 0n,
      nlink: node.links,
      uid: 0n,
      gid: 0n,
      mode: BigInt(node.mode) | (node instanceof FileNode ? 0o100000n : 0o40000n),
      mtimeNs: BigInt(Math.floor(node.modified * 1e6)),
      isFile: () => node instanceof FileNode,
      isDirectory: () => node instanceof FolderNode,
      isFIFO: () => false,
      isSocket: () => false,
      isSymbolicLink: () => false,
    });
    const touch = (node: Node) => {
      node.modified = this.#now();
    };
    const fileAt = (descriptor: number): { node: FileNode; path: string } => {
      const { node, path } = process.files.get(descriptor);
      if (!(node instanceof FileNode)) throw fault('EISDIR', `write ${path}`);
      return { node, path };
    };
    const placeOf = (path: string, call: string) => {
      const place = this.#place(path);
      if (!place) throw fault('ENOENT', `${call} ${path}`);
      return place;
    };
    const find = (path: string, flags: string, mode = 0o666): Node => {
      const found = this.find(path);
      if (found && flags.startsWith('wx')) throw fault('EEXIST', `open ${path}`);
      if (found) return found;
      if (flags.startsWith('r')) throw fault('ENOENT', `open ${path}`);
      const { folder, name } = placeOf(path, 'open');
      const made = new FileNode(++this.#inodes);
      made.mode = mode & 0o700;
      folder.cached.set(name, made);
      touch(made);
      return made;
    };
    const open = (path: string, flags: string, mode?: number) =>
      process.files.add(new OpenFile(find(path, flags, mode), path));
    const write = (descriptor: number, bytes: Uint8Array, position: number | undefined) => {
      const { node, path } = fileAt(descriptor);
      const at = position ?? node.cached.length;
      const written = Buffer.from(bytes);
      this.#take(at + written.length - node.cached.length, path);
      node.change((content) => {
        const grown = Buffer.alloc(Math.max(content.length, at + written.length));
        content.copy(grown);
        written.copy(grown, at);
        return grown;
      });
      touch(node);
      return bytes.length;
    };
    const cut = (descriptor: number, length: number) => {
      const { node } = fileAt(descriptor);
      this.freeBytes += Math.max(0, node.cached.length - length);
      node.change((content) => content.subarray(0, length));
      touch(node);
    };
    const read = (descriptor: number, position: number, length: number) =>
      fileAt(descriptor).node.cached.subarray(position, position + length);
    const unlink = (path: string) => {
      const { folder, name } = placeOf(path, 'unlink');
      this.#release(this.#need(path, 'unlink'));
      folder.cached.delete(name);
    };
    const handle = (descriptor: number, appends: boolean): FileHandle => {
      const { node, path } = process.files.get(descriptor);
      const sync = () => {
        const end = node.beginSync();
        return process
          .call({ name: `fsync ${path}`, kind: 'room' }, () => end(true), this.syncMs)
          .catch((error: unknown) => {
            end(false);
            throw error;
          });
      };
      return {
        fd: descriptor,
        write: (bytes, offset, length, position) =>
          process.call({ name: `write ${path}`, kind: 'write' }, (share) => ({
            bytesWritten: write(
              descriptor,
              bytes.subarray(offset, offset + share(length)),
              appends ? undefined : position,
            ),
          })),
        read: (into, offset, length, position) =>
          process.call(undefined, () => {
            const part = read(descriptor, position, length);
            into.set(part, offset);
            return { bytesRead: part.length };
          }),
        truncate: (length) =>
          process.call({ name: `ftruncate ${path}`, kind: 'disk' }, () => cut(descriptor, length)),
        sync,
        datasync: sync,
        stat: () => process.call(undefined, () => statsOf(node)),
        chmod: (mode) =>
          process.call(undefined, () => {
            node.mode = mode;
          }),
        chown: () => process.call(undefined, () => {}),
        async *createReadStream({ highWaterMark, start }) {
          for (let at = start; ; ) {
            const part = await process.call(undefined, () =>
              Buffer.from(read(descriptor, at, highWaterMark)),
            );
            if (part.length === 0) return process.files.close(descriptor);
            at += part.length;
            yield part;
          }
        },
        close: () => process.call(undefined, () => process.files.close(descriptor)),
      };
    };
    const statSync = (path: string) =>
      process.now(undefined, () => {
        const node = this.find(path);
        return node && statsOf(node);
      });
    const unused = (): never => {
      throw new Error('The simulated disk does not have this call');
    };
    return {
      promises: {
        open(path, given, mode) {
          // A number: the lock reads a file without waiting.
          const flags = typeof given === 'number' ? 'r' : given;
          const step = flags.startsWith('r') ? undefined : ({ name: `open ${path}`, kind: 'room' } as const);
          return process.call(step, () => handle(open(path, flags, mode), flags.startsWith('a')));
        },
        stat: (path) => process.call(undefined, () => statsOf(this.#need(path, 'stat'))),
        statfs: () => process.call(undefined, () => ({ bavail: this.freeBytes, bsize: 1 })),
        realpath: (path) =>
          process.call(undefined, () => {
            this.#need(path, 'realpath');
            return path;
          }),
        readlink: async (path) => {
          throw fault('EINVAL', `readlink ${path}`);
        },
        readdir: (path) =>
          process.call(undefined, () => {
            const node = this.#need(path, 'scandir');
            if (node instanceof FileNode) throw fault('ENOTDIR', `scandir ${path}`);
            return [...node.cached.keys()];
          }),
        mkdir: (path, { mode }) =>
          process.call(this.find(path) ? undefined : { name: `mkdir ${path}`, kind: 'room' }, () => {
            const { folder, name } = placeOf(path, 'mkdir');
            if (folder.cached.has(name)) throw fault('EEXIST', `mkdir ${path}`);
            const made = new FolderNode(++this.#inodes);
            made.mode = mode;
            folder.cached.set(name, made);
          }),
        mkdtemp: unused,
        rename: (from, to) =>
          process.call({ name: `rename ${to}`, kind: 'room' }, () => {
            const node = this.#need(from, 'rename');
            const [old, place] = [placeOf(from, 'rename'), placeOf(to, 'rename')];
            const replaced = place.folder.cached.get(place.name);
            if (replaced && replaced !== node) this.#release(replaced);
            old.folder.cached.delete(old.name);
            place.folder.cached.set(place.name, node);
          }),
        unlink: (path) => process.call({ name: `unlink ${path}`, kind: 'disk' }, () => unlink(path)),
        rm: unused,
      },
      readFileSync: (path) =>
        process.now(undefined, () => {
          const node = this.#need(path, 'open');
          if (node instanceof FolderNode) throw fault('EISDIR', `read ${path}`);
          return node.cached;
        }),
      realpathSync: { native: (path) => path },
      readdirSync: (path) => process.now(undefined, () => [...this.names(path)]),
      statSync,
      lstatSync: statSync,
      openSync: (path, _flags, mode) =>
        process.now({ name: `open ${path}`, kind: 'room' }, () => open(path, 'a', mode)),
      closeSync: (descriptor) => process.now(undefined, () => process.files.close(descriptor)),
      fstatSync: (descriptor) => process.now(undefined, () => statsOf(process.files.get(descriptor).node)),
      writeSync: (descriptor, bytes, offset, length = bytes.length - offset, position) =>
        process.now({ name: `write ${process.files.get(descriptor).path}`, kind: 'write' }, (share) =>
          write(descriptor, bytes.subarray(offset, offset + share(length)), position),
        ),
      ftruncateSync: (descriptor, length) =>
        process.now({ name: `ftruncate ${process.files.get(descriptor).path}`, kind: 'disk' }, () =>
          cut(descriptor, length),
        ),
      close: (descriptor, done) =>
        void process.call(undefined, () => process.files.close(descriptor)).then(done),
    };
  }
}

function usedBy(node: Node): number {
  if (node instanceof FileNode) return node.cached.length;
  return [...node.cached.values()].reduce((sum, below) => sum + usedBy(below), 0);
}

/** The kernel's locks on the open files of a process. */
export function kernelLockOf(process: Pick<DiskUser, 'files'>): KernelLock {
  return {
    tryLock(descriptor, _offset, _length, options) {
      const file = process.files.get(descriptor);
      if (file.node instanceof FolderNode) return false;
      const { locks } = file.node;
      for (const [other, kind] of locks)
        if (other !== file && (!options?.shared || kind === 'exclusive')) return false;
      locks.set(file, options?.shared ? 'shared' : 'exclusive');
      return true;
    },
    unlock(descriptor) {
      const file = process.files.get(descriptor);
      if (file.node instanceof FileNode) file.node.locks.delete(file);
    },
  };
}

/** `call`: its name and its path, as in a step. */
export function fault(code: string, call: string): Error {
  const [syscall, path] = call.split(' ');
  return Object.assign(new Error(`${code}: simulated, ${call}`), { code, syscall, path });
}
