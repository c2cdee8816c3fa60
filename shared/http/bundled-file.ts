import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, perContext } from '../context.ts'

const known = perContext(() => new Map<string, Promise<string>>())

/** A text file that is deployed with the bundle; read once per environment. */
export const readBundledFile = (ctx: Context, name: string): Promise<string> => {
  const files = known(ctx)
  const text = files.get(name) ?? readFile(join(ctx.env('FILES_FOLDER'), name), 'utf8')
  files.set(name, text)
  return text
}

/** The version of a file in its address: 16 hexadecimal digits that change with its text. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
