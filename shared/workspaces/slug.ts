import * as z from 'zod/mini'
import { random62 } from '../ids.ts'

const form = /^[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]$/

/** A workspace's name in URLs. */
export const Slug = z
  .string()
  .check(
    z.refine((text) => form.test(text), {
      error: 'must have 3 to 40 characters of a-z, 0-9 and "-", with no "-" at either end',
    }),
  )
  .register(z.globalRegistry, { pattern: form.source })

export const slugKey = (slug: string) => ({ PK: `SLUG#${slug}`, SK: 'SLUG' })

const cut = (slug: string, maxLength: number) => slug.slice(0, maxLength).replace(/-$/, '')

/** The slug with a suffix of six random characters, for one that is taken or too short. */
export const withSuffix = (slug: string): string => `${cut(slug, 33)}-${random62(6).toLowerCase()}`

/** Derives a slug from a name; random characters extend it if the name has too few Latin letters and digits. */
export const slugOf = (name: string): string => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return words.length < 3 ? withSuffix(words || 'workspace') : cut(words, 40)
}
