import { join } from 'node:path'

export const guide = join(import.meta.dirname, '../README.md')

/** The deployment guide with the output of a command inserted. */
export const withOutput = (text: string, script: string, output: string): string => {
  const begin = `<!-- node ${script} --write -->\n`
  const [before, after] = text.split(begin)
  const end = after?.indexOf('\n<!-- end -->') ?? -1
  if (after === undefined || end === -1) throw new Error(`infra/README.md has no place for the output of ${script}`)
  return `${before}${begin}\n${output}\n${after.slice(end)}`
}
