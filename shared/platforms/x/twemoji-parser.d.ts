declare module 'twemoji-parser/dist/lib/regex.js' {
  /** Node and bundlers wrap it, Vite does not. */
  const emoji: RegExp | { default: RegExp }
  export default emoji
}
