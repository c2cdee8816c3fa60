import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { cursorLike, pageQuery } from '../http/page.ts'
import { wellFormed } from '../text/well-formed.ts'
import { Sha256 } from './requests.ts'
import { mediaKinds } from './types.ts'

/** The query of the list of files. */
export const ListMediaQuery = z.strictObject({
  kind: described(z.optional(z.enum(mediaKinds)), 'Only files of this kind.'),
  q: described(
    z.optional(z.string().check(z.minLength(1), z.maxLength(200), wellFormed)),
    'Only files whose name or `altText` contains this text, 1 to 200 characters.',
  ),
  sha256: described(z.optional(Sha256), 'Only files that were uploaded with this SHA-256.'),
  cursor: cursorLike(/^med_[0-9A-Z]{26}$/),
  ...pageQuery,
})
export type ListMediaQuery = z.infer<typeof ListMediaQuery>
