import { readFileSync } from 'node:fs'
import { errorTables } from './error-tables.ts'

/** In the order of the reference page, which lists their headings before the operations. */
const names = ['authentication', 'posts', 'webhooks', 'event-bus', 'platforms', 'errors'] as const

const read = (name: string) => readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim()

/** The guides for API users as one Markdown text; the tables of error codes follow the last one. */
export const guides = (): string => [...names.map(read), errorTables()].join('\n\n')
