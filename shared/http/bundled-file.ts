import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import { described } from './described.ts'

const known = perContext(() => new Map<string, Promise<string>>())

/** A text file that is deployed with the bundle; read once per environment. */
export const readBundledFile = (ctx: Context, name: string): Promise<string> => {
  const files = known(ctx)
  const text = files.get(name) ?? readFile(join(ctx.env('FILES_FOLDER'), name), 'utf8')
  files.set(name, text)
  return text
}

/** By text, of which a deployment has few: to hash the script of the reference takes several milliseconds. */
const versions = new Map<string, string>()

/** The version of a file in its address: 16 hexadecimal digits that change with its text. */
export const versionOf = (text: string): string => {
  const version = versions.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 16)
  versions.set(text, version)
  return version
}

/**
 * The address of a file changes with its content. While one release replaces another, the page of one can request the file of
 * the other: a browser never caches a file under the version of another one.
 */
export const assetHeadersOf = (text: string, version: string | undefined): Record<string, string> => ({
  'Cache-Control': version === versionOf(text) ? 'public, max-age=31536000, immutable' : 'no-cache',
  'X-Content-Type-Options': 'nosniff',
})

/** The version in the address of a file. Links to it may carry parameters of other sites. */
export const Version = z.looseObject({
  v: z.optional(described(z.string(), 'The hash of the file. With it, a browser caches the file for a year.')),
})
