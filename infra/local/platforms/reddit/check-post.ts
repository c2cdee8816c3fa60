import * as z from 'zod/mini'
import { type Call, parseJson } from '../standin.ts'
import { refuse, refuseByRules, refusePost } from './refuse.ts'
import type { Subreddit } from './seed.ts'
import { findSubreddit } from './subreddits.ts'

/** A boolean of a form, as each language writes it. */
const yesNo = z.optional(
  z.pipe(
    z.string().check(z.regex(/^(true|false)$/i)),
    z.transform((text) => text.toLowerCase() === 'true'),
  ),
)

const SubmitForm = z.strictObject({
  api_type: z.literal('json'),
  kind: z.enum(['self', 'link', 'image', 'video', 'crosspost']),
  sr: z.string(),
  title: z.string(),
  text: z.optional(z.string()),
  url: z.optional(z.string()),
  video_poster_url: z.optional(z.string()),
  crosspost_fullname: z.optional(z.string()),
  flair_id: z.optional(z.string()),
  flair_text: z.optional(z.string().check(z.maxLength(64))),
  sendreplies: yesNo,
  nsfw: yesNo,
  spoiler: yesNo,
  resubmit: yesNo,
  validate_on_submit: yesNo,
})
export type SubmitForm = z.infer<typeof SubmitForm>

const Lengths = z.object({
  is_flair_required: z.optional(z.boolean()),
  title_text_min_length: z.optional(z.number()),
  title_text_max_length: z.optional(z.number()),
})

const characters = (text: string) => [...text].length

function checkByRules({ title, flair_id }: Checked, { rules, flairs }: Subreddit): void {
  const { is_flair_required, title_text_min_length: min = 0, title_text_max_length: max = 300 } = Lengths.parse(rules)
  if (is_flair_required && !flair_id) {
    refuseByRules('SUBMIT_VALIDATION_FLAIR_REQUIRED', 'Your post must contain post flair.', 'flair')
  }
  if (flair_id && !flairs.some(({ id }) => id === flair_id)) {
    refusePost('BAD_FLAIR_TARGET', 'that flair does not exist', 'flair')
  }
  if (characters(title) < min) {
    refuseByRules('SUBMIT_VALIDATION_MIN_LENGTH', `Title must be at least ${min} characters.`, 'title')
  }
  if (characters(title) > max) {
    refuseByRules('SUBMIT_VALIDATION_MAX_LENGTH', `Title must be at most ${max} characters.`, 'title')
  }
}

/** A submission that satisfies the rules of Reddit and the subreddit. */
export function readSubmission(call: Call): SubmitForm {
  if (!/^application\/x-www-form-urlencoded\b/i.test(call.headers['content-type'] ?? '')) refuse(400, 'Bad Request')
  const parsed = SubmitForm.safeParse(Object.fromEntries(new URLSearchParams(call.body.toString())))
  if (!parsed.success) return refuse(400, 'Bad Request')
  return checked(parsed.data)
}

const marks = {
  api_type: z.literal('json'),
  sr: z.string(),
  title: z.string(),
  flair_id: z.optional(z.string()),
  flair_text: z.optional(z.string().check(z.maxLength(64))),
  sendreplies: z.boolean(),
  nsfw: z.boolean(),
  spoiler: z.boolean(),
  validate_on_submit: z.boolean(),
}

const PollJson = z.strictObject({
  ...marks,
  text: z.string(),
  options: z.array(z.string().check(z.minLength(1), z.maxLength(120))).check(z.minLength(2), z.maxLength(6)),
  duration: z.int().check(z.minimum(1), z.maximum(7)),
  resubmit: z.boolean(),
})
export type PollJson = z.infer<typeof PollJson>

const GalleryJson = z.strictObject({
  ...marks,
  text: z.optional(z.string()),
  show_error_list: z.boolean(),
  items: z
    .array(
      z.strictObject({
        media_id: z.string(),
        caption: z.string().check(z.maxLength(180)),
        outbound_url: z.literal(''),
      }),
    )
    .check(z.minLength(2), z.maxLength(20)),
})

function readJson<T extends { sr: string; title: string }>(shape: z.ZodMiniType<T>, call: Call): T {
  if (!/^application\/json\b/i.test(call.headers['content-type'] ?? '')) refuse(400, 'Bad Request')
  const parsed = shape.safeParse(parseJson(call.body, () => refuse(400, 'Bad Request')))
  if (!parsed.success) return refuse(400, 'Bad Request')
  checked({ ...parsed.data, kind: 'self' })
  return parsed.data
}

/** A poll that satisfies the rules of Reddit and the subreddit. */
export const readPoll = (call: Call): PollJson => readJson(PollJson, call)

/** A gallery that satisfies the rules of Reddit and the subreddit. */
export const readGallery = (call: Call): z.infer<typeof GalleryJson> => readJson(GalleryJson, call)

type Checked = Pick<SubmitForm, 'kind' | 'sr' | 'title' | 'text' | 'url' | 'flair_id'>

function checked<T extends Checked>(form: T): T {
  const subreddit = findSubreddit(form.sr)
  if (subreddit === undefined) return refusePost('SUBREDDIT_NOEXIST', "that subreddit doesn't exist", 'sr')
  if (!subreddit.open) refusePost('SUBREDDIT_NOTALLOWED', "you aren't allowed to post there.", 'sr')
  if (form.title.trim() === '') refusePost('NO_TEXT', 'we need something here', 'title')
  if (/[\r\n]/.test(form.title)) refusePost('BAD_STRING', 'no line breaks in titles', 'title')
  if (characters(form.title) > 300) refusePost('TOO_LONG', 'this is too long (max: 300)', 'title')
  if (characters(form.text ?? '') > 40_000) refusePost('TOO_LONG', 'this is too long (max: 40000)', 'text')
  if (form.kind === 'link' && !URL.canParse(form.url ?? '')) refusePost('BAD_URL', 'you should check that url', 'url')
  if (form.kind === 'crosspost' && form.text !== undefined) refuse(400, 'Bad Request')
  checkByRules(form, subreddit)
  return form
}
