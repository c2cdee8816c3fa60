import { join } from 'node:path'

export const guide = join(import.meta.dirname, '../../../infra/README.md')

const place = /(<!-- node test\/bench\/throughput\.ts --write -->\n)[\s\S]*?(\n<!-- end -->)/

/** The deployment guide with this table in its place. */
export const withThroughput = (text: string, table: string): string => {
  if (!place.test(text)) throw new Error('infra/README.md has no place for the throughput')
  return text.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`)
}
