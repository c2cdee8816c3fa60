import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { AltText, Filename } from './requests.ts'

/**
 * Decided: the largest file in a JSON body. Lambda accepts 6 MB of payload, and base64 makes a file a third longer (Lambda
 * guide, "Quotas").
 */
export const maxInlineBytes = 4_000_000

const instead = 'Send its public address in "mediaUrls" of a post, or upload it with POST /api/media/upload-url.'

/** The largest body with such a file: its base64, and more than all other fields need. */
export const inlineBody = { maxBytes: 5_500_000, instead }

/** Base64 has one spelling of each file: a decoder skips what does not belong to it, so its result is encoded again. */
const isInline = z.superRefine<string>((content, issues) => {
  const add = (message: string) => issues.addIssue({ code: 'custom', message, input: content })
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64') !== content) {
    add(
      'must be base64 (RFC 4648, section 4), without line breaks and without a start such as "data:image/png;base64,"',
    )
  } else if (bytes.length > maxInlineBytes) {
    add(`must have at most ${maxInlineBytes} bytes, and has ${bytes.length}. ${instead}`)
  }
})

export const CreateMediaRequest = z
  .strictObject({
    content: described(
      z.string().check(z.minLength(1), isInline),
      'The bytes of the file in base64, at most 4,000,000 bytes. Its type is found in them.',
    ),
    filename: described(Filename, 'The name of the file without a path, 1 to 255 characters.'),
    altText: AltText,
  })
  .register(z.globalRegistry, {
    id: 'CreateMediaRequest',
    description: 'A small file.',
  })
export type CreateMediaRequest = z.infer<typeof CreateMediaRequest>
