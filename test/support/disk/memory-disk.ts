// A disk in memory, below the program's own reading and writing of files: it is honest about what is synced, and after a
// power cut or a kill what was not synced is either gone or there, as the one who restarts chooses.

import type { FileHandle, FileStats, FileSystem } from '#world/file-system.ts';

interface FileNode {
  readonly ino: bigint;
  cached: Buffer;
  /** What the disk itself has. */
  synced: Buffer;
}

interface FolderNode {
  readonly ino: bigint;
  cached: Map<string, Node>;
  synced: Map<string, Node>;
}

type Node = FileNode | FolderNode;

/** What a power cut leaves. */
export interface Unsynced {
  /** Of a file that was changed since. */
  content(synced: Buffer, cached: Buffer): Buffer;
  /** Whether this name is in its folder as it was last, or as it was synced. */
  keepsName(name: string): boolean;
}

export interface MemoryDisk {
  /**
   * `step` is told of each call that changes something, before it does: `rename /config/tokens/default.json`; `stepNow` of each
   * that does so without waiting, and may throw.
   */
  systemWith(step: (name: string) => Promise<void>, stepNow?: (name: string) => void): FileSystem;
  /** Everything is opened anew; what was not synced is `kept` or `dropped`, or each as somebody chooses. */
  restart(unsynced: 'kept' | 'dropped' | Unsynced): void;
  /** The paths of all files, with what they hold. */
  files(): ReadonlyMap<string, string>;
  /** What a file holds. */
  content(path: string): Buffer;
  /** Puts a file there, and the folders above it, all synced. */
  put(path: string, content: Buffer): void;
}

export function createMemoryDisk(): MemoryDisk {
  let inodes = 0n;
  const makeFolder = (): FolderNode => ({ ino: ++inodes, cached: new Map(), synced: new Map() });
  const root = makeFolder();
  const isFolder = (node: Node | undefined): node is FolderNode => node?.cached instanceof Map;

  const fault = (code: string, path: string) =>
    Object.assign(new Error(`${code}: '${path}'`), { code, path });
  const unused = (): never => {
    throw fault('ENOSYS', '');
  };
  const partsOf = (path: string) => path.split('/').filter((part) => part !== '');
  const find = (path: string): Node | undefined => {
    let node: Node | undefined = root;
    for (const part of partsOf(path)) {
      if (node && !isFolder(node)) throw fault('ENOTDIR', path);
      node = node?.cached.get(part);
    }
    return node;
  };
  const existing = (path: string): Node => {
    const node = find(path);
    if (!node) throw fault('ENOENT', path);
    return node;
  };
  const placeOf = (path: string): { readonly folder: FolderNode; readonly name: string } => {
    const parts = partsOf(path);
    const name = parts.pop() ?? '';
    const folder = existing(`/${parts.join('/')}`);
    if (!isFolder(folder)) throw fault('ENOTDIR', path);
    return { folder, name };
  };
  const statOf = (node: Node): FileStats => ({
    dev: 1n,
    ino: node.ino,
    size: isFolder(node) ? 0n : BigInt(node.cached.length),
    nlink: 1n,
    uid: 0n,
    mode: 0o100600n,
    // A file that replaces another has a number of its own.
    mtimeNs: 0n,
    gid: 0n,
    isFile: () => !isFolder(node),
    isDirectory: () => isFolder(node),
    isFIFO: () => false,
    isSocket: () => false,
    isSymbolicLink: () => false,
  });

  /** Those opened for appending, by number: they are written to without waiting. */
  const numbered = new Map<number, { readonly node: FileNode; readonly path: string }>();
  const numberedFile = (fd: number) => numbered.get(fd) ?? unused();

  const openFile = (node: Node, path: string, step: (name: string) => Promise<void>): FileHandle => {
    const contentOf = (): FileNode => {
      if (isFolder(node)) throw fault('EISDIR', path);
      return node;
    };
    const sync = async () => {
      // What comes meanwhile is not covered.
      if (isFolder(node)) {
        const names = new Map(node.cached);
        await step(`sync ${path}`);
        node.synced = names;
      } else {
        const content = node.cached;
        await step(`sync ${path}`);
        node.synced = content;
      }
    };
    const fd = numbered.size + 3;
    if (!isFolder(node)) numbered.set(fd, { node, path });
    return {
      fd,
      async write(bytes, offset, length, position) {
        await step(`write ${path}`);
        const file = contentOf();
        const grown = Buffer.alloc(Math.max(file.cached.length, position + length));
        file.cached.copy(grown);
        grown.set(bytes.subarray(offset, offset + length), position);
        file.cached = grown;
        return { bytesWritten: length };
      },
      async read(into, offset, length, position) {
        const part = contentOf().cached.subarray(position, position + length);
        into.set(part, offset);
        return { bytesRead: part.length };
      },
      async truncate(length) {
        await step(`truncate ${path}`);
        const file = contentOf();
        file.cached = Buffer.from(file.cached.subarray(0, length));
      },
      sync,
      datasync: sync,
      stat: async () => statOf(node),
      chmod: async () => {},
      chown: async () => {},
      createReadStream: () => {
        throw fault('ENOSYS', path);
      },
      close: async () => {},
    };
  };

  return {
    systemWith: (step, stepNow = () => {}) => ({
      promises: {
        async open(path, flags) {
          let node = find(path);
          if (flags !== 'r') await step(`open ${path}`);
          if (flags === 'wx' && node) throw fault('EEXIST', path);
          if (flags === 'wx' || (flags === 'a' && !node)) {
            node = { ino: ++inodes, cached: Buffer.alloc(0), synced: Buffer.alloc(0) };
            const { folder, name } = placeOf(path);
            folder.cached.set(name, node);
          }
          if (!node) throw fault('ENOENT', path);
          return openFile(node, path, step);
        },
        stat: async (path) => statOf(existing(path)),
        statfs: async () => ({ bavail: 2 ** 40, bsize: 1 }),
        async realpath(path) {
          existing(path);
          return path;
        },
        readlink: unused,
        async readdir(path) {
          const folder = existing(path);
          if (!isFolder(folder)) throw fault('ENOTDIR', path);
          return [...folder.cached.keys()];
        },
        async mkdir(path) {
          const { folder, name } = placeOf(path);
          if (folder.cached.has(name)) throw fault('EEXIST', path);
          folder.cached.set(name, makeFolder());
        },
        mkdtemp: unused,
        async rename(from, to) {
          await step(`rename ${to}`);
          const node = existing(from);
          const old = placeOf(from);
          const place = placeOf(to);
          old.folder.cached.delete(old.name);
          place.folder.cached.set(place.name, node);
        },
        async unlink(path) {
          existing(path);
          await step(`unlink ${path}`);
          const { folder, name } = placeOf(path);
          folder.cached.delete(name);
        },
        rm: unused,
      },
      readFileSync(path) {
        const node = existing(path);
        if (isFolder(node)) throw fault('EISDIR', path);
        return node.cached;
      },
      realpathSync: { native: (path) => path },
      readdirSync: unused,
      statSync(path) {
        const node = find(path);
        return node && statOf(node);
      },
      lstatSync(path) {
        const node = find(path);
        return node && statOf(node);
      },
      openSync: unused,
      closeSync: unused,
      fstatSync: (fd) => statOf(numberedFile(fd).node),
      writeSync(fd, bytes, at) {
        const { node: file, path } = numberedFile(fd);
        stepNow(`write ${path}`);
        file.cached = Buffer.concat([file.cached, bytes.subarray(at)]);
        return bytes.length - at;
      },
      ftruncateSync(fd, length) {
        const { node: file, path } = numberedFile(fd);
        stepNow(`truncate ${path}`);
        file.cached = Buffer.from(file.cached.subarray(0, length));
      },
      close: unused,
    }),
    restart(unsynced) {
      const { content, keepsName } =
        typeof unsynced === 'object'
          ? unsynced
          : {
              content: (synced: Buffer, cached: Buffer) => (unsynced === 'kept' ? cached : synced),
              keepsName: () => unsynced === 'kept',
            };
      const settle = (node: Node) => {
        if (!isFolder(node)) {
          if (node.synced !== node.cached) node.cached = content(node.synced, node.cached);
          node.synced = node.cached;
          return;
        }
        for (const name of new Set([...node.cached.keys(), ...node.synced.keys()])) {
          const [last, synced] = [node.cached.get(name), node.synced.get(name)];
          const found = last === synced || keepsName(name) ? last : synced;
          if (found) node.cached.set(name, found);
          else node.cached.delete(name);
        }
        node.synced = new Map(node.cached);
        for (const below of node.cached.values()) settle(below);
      };
      settle(root);
    },
    content(path) {
      const node = existing(path);
      if (isFolder(node)) throw fault('EISDIR', path);
      return node.cached;
    },
    put(path, content) {
      let folder = root;
      const parts = partsOf(path);
      const name = parts.pop() ?? '';
      for (const part of parts) {
        const below = folder.cached.get(part) ?? makeFolder();
        if (!isFolder(below)) throw fault('ENOTDIR', path);
        folder.cached.set(part, below);
        folder.synced.set(part, below);
        folder = below;
      }
      const file: FileNode = { ino: ++inodes, cached: content, synced: content };
      folder.cached.set(name, file);
      folder.synced.set(name, file);
    },
    files() {
      const found = new Map<string, string>();
      const walk = (node: Node, path: string) => {
        if (!isFolder(node)) found.set(path, node.cached.toString());
        else for (const [name, below] of node.cached) walk(below, `${path}/${name}`);
      };
      walk(root, '');
      return found;
    },
  };
}
