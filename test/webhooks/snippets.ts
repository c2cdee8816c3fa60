import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), { encoding: 'utf8' })

/** The code blocks of the README for receivers, as they stand there. */
export const snippets = (language: string): string[] => {
  const [, section = ''] = readme.split('\n## Receive webhooks\n')
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].flatMap(([, named, code]) => (named === language && code !== undefined ? [code] : []))
}
