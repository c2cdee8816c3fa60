import { readFileSync } from 'node:fs'

/** In the order of the reference page, which lists their headings before the operations. */
const names = ['authentication', 'posts', 'webhooks', 'event-bus', 'platforms'] as const

/** The guides for API users as one Markdown text. */
export const guides = (): string =>
  names.map((name) => readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim()).join('\n\n')
