import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { codePoints, limitedText } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'

/** A poll, with Discord's limits (Poll Resource, 2026-08-06). */
export const Poll = z.looseObject({
  question: described(limitedText(300, codePoints).check(notBlank), 'The question, at most 300 characters.'),
  answers: described(
    z.array(limitedText(55, codePoints).check(notBlank)).check(z.minLength(2), z.maxLength(10)),
    'The choices, 2 to 10, of at most 55 characters each.',
  ),
  durationHours: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(32 * 24))),
    'How long the poll is open, in hours: 1 to 768 (32 days). 24 by default.',
  ),
  isMultiselect: described(z.optional(z.boolean()), 'Whether a person can choose several answers. False by default.'),
})
type Poll = z.infer<typeof Poll>

/** A poll in Discord's format. Absent fields are omitted from the JSON. */
export const sentPoll = ({ question, answers, durationHours, isMultiselect }: Poll) => ({
  question: { text: question },
  answers: answers.map((text) => ({ poll_media: { text } })),
  duration: durationHours,
  allow_multiselect: isMultiselect,
})
