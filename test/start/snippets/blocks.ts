import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** A fenced block of a document. */
export interface Block {
  /** For example `README.md:19`. */
  at: string
  language: string
  /** The words after the language: a file name to save the block as, `no-run`, or `expect-error`. */
  flags: readonly string[]
  code: string
}

/** The fenced blocks of a document, in order. A fence without a language is a picture and is left out. */
export const blocksOf = (path: string): Block[] => {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^```([^\n`]*)\n(.*?)^```$/gms)].flatMap(({ index, 1: info = '', 2: code = '' }) => {
    const [language = '', ...flags] = info.trim().split(/\s+/)
    const line = text.slice(0, index).split('\n').length
    return language === '' ? [] : [{ at: `${path}:${line}`, language, flags, code }]
  })
}

const guides = 'infra/openapi/guides'

/** The documents whose blocks run. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, guides))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${guides}/${name}`),
]
