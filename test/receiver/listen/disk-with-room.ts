// The real disk, which is full for some writes.

import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';

/** `hasRoom`: for so many bytes more at this path. */
export function diskWithRoom(folder: string, hasRoom: (path: string, bytes: number) => boolean): Files {
  const real = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder);
  return {
    ...real,
    async append(...parameters) {
      const file = await real.append(...parameters);
      const [path] = parameters;
      const write: typeof file.write = (content) => {
        if (hasRoom(path, content.length)) return file.write(content);
        const error = new Error(`ENOSPC: no space left on device, write '${path}'`);
        throw Object.assign(error, { code: 'ENOSPC', syscall: 'write', path });
      };
      return Object.assign(Object.create(file), { write });
    },
  };
}
