// The type of an import with `?inline`, which scripts/inline-plugin.mjs provides.

declare module '*?inline' {
  const text: string;
  export default text;
}
