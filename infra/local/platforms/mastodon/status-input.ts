import * as z from 'zod/mini'
import { Flag, Whole } from './read-params.ts'
import { refuse } from './refuse.ts'

const Poll = z.object({
  options: z.array(z.string()),
  expires_in: Whole,
  multiple: z.optional(Flag),
  hide_totals: z.optional(Flag),
})
export type Poll = z.infer<typeof Poll>

const content = {
  status: z.optional(z.string()),
  media_ids: z.optional(z.array(z.string())),
  sensitive: z.optional(Flag),
  spoiler_text: z.optional(z.string()),
  language: z.optional(z.string()),
  quote_approval_policy: z.optional(z.enum(['public', 'followers', 'nobody'])),
}

/** The fields of a post (Mastodon API, statuses, Post a new status); `direct` is a message. */
export const CreateInput = z.strictObject({
  ...content,
  poll: z.optional(Poll),
  in_reply_to_id: z.optional(z.string()),
  visibility: z.optional(z.enum(['public', 'unlisted', 'private', 'direct'])),
  quoted_status_id: z.optional(z.string()),
  scheduled_at: z.optional(
    z.string().check(z.refine((text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)))),
  ),
})
export type CreateInput = z.infer<typeof CreateInput>

export const EditInput = z.strictObject(content)

const maxCharacters = 500

/** How a server counts characters: a link is 23 characters, a name at another server only its name. */
const lengthOf = (text: string) => {
  const counted = text
    .split(/(\s)/)
    .map((word) => (/^https?:\/\/\S+\.\S+$/.test(word) ? 'x'.repeat(23) : word.replace(/^@(\w+)@[\w.]+$/, '@$1')))
    .join('')
  return [...new Intl.Segmenter('en').segment(counted)].length
}

export function assertPoll({ options, expires_in: seconds }: Poll, mediaIds: readonly string[]): void {
  const no = (message: string) => refuse(422, `Validation failed: ${message}`)
  if (mediaIds.length > 0) refuse(422, 'Cannot attach files to a post with a poll')
  if (options.length < 2 || options.length > 4) no('Options must be 2 to 4')
  if (options.some((option) => [...option].length > 50)) no('Options has a choice that is longer than 50 characters')
  if (new Set(options).size < options.length) no('Options contain duplicate items')
  if (seconds < 5 * 60 || seconds > 2_629_746) no('Expires at is too soon or too far into the future')
}

export function assertText(text: string, spoilerText: string, files: number): void {
  if (text.trim() === '' && files === 0) refuse(422, "Validation failed: Text can't be blank")
  if ([...spoilerText].length + lengthOf(text) > maxCharacters) {
    refuse(422, `Validation failed: Text character limit of ${maxCharacters} exceeded`)
  }
}
