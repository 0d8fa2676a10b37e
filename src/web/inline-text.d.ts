// The type of an import with `?inline`, which scripts/bundle.mjs provides.

declare module '*?inline' {
  const text: string;
  export default text;
}
