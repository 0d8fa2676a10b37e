// Random bytes of the operating system. Node's module is loaded on first use: most commands need none.

export function randomBytes(count: number): Buffer {
  return process.getBuiltinModule('node:crypto').randomBytes(count);
}
