import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const guide = readFileSync(join(import.meta.dirname, '../../infra/openapi/guides/webhooks.md'), 'utf8')
const [, section = ''] = guide.split('\n## Verify a delivery\n')

/** The code blocks of the guide that verify a delivery, as they stand there. */
export const snippets = (language: string): string[] => {
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].flatMap(([, named, code]) => (named === language && code !== undefined ? [code] : []))
}
