import * as z from 'zod/mini'

const Links = z.object({
  urls: z.optional(z.array(z.object({ url: z.string(), expanded_url: z.optional(z.string()) }))),
})
const Note = z.object({ text: z.string(), entities: z.optional(Links) })

/** A tweet of a timeline. X is renaming tweets to posts: either name of the long text may come. */
const Listed = z.object({
  id: z.string(),
  text: z.string(),
  created_at: z.optional(z.string()),
  entities: z.optional(Links),
  note_post: z.optional(Note),
  note_tweet: z.optional(Note),
})
export type Listed = z.infer<typeof Listed>

export const Timeline = z.object({
  data: z.optional(z.array(Listed)),
  meta: z.object({ result_count: z.number(), next_token: z.optional(z.string()) }),
})

/** What is asked for: X's OpenAPI names `post.fields` since 2.167 (2026-08), `tweet.fields` is its older name. */
export const fields = { 'post.fields': 'created_at,entities,note_post' }

/** Milliseconds since 1970 of X's epoch, in which ids count (X, "X IDs"). */
const epochMs = 1_288_834_974_657n

/**
 * When a tweet was made: as it says, else as its id says, whose last 22 bits are no time; NaN where neither can be
 * read.
 */
export const madeAtMs = ({ id, created_at: at }: Listed): number => {
  const said = at === undefined ? Number.NaN : Date.parse(at)
  if (!Number.isNaN(said)) return said
  return /^\d{15,19}$/.test(id) ? Number((BigInt(id) >> 22n) + epochMs) : Number.NaN
}

/** A text without links: X puts its own in their place, and one for the media at the end. */
const withoutLinks = (text: string, links: readonly string[]): string =>
  links
    .reduce((rest, link) => rest.replaceAll(link, ''), text)
    .replace(/\s+/g, ' ')
    .trim()

/** X escapes three signs in the texts it gives. */
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Whether a tweet has a text; of a long one, `text` is only the start, and the note has it whole. */
export const hasText = (listed: Listed, ours: string): boolean => {
  const { text, entities } = listed.note_post ?? listed.note_tweet ?? listed
  const urls = entities?.urls ?? []
  const shown = withoutLinks(
    plain(text),
    urls.map(({ url }) => url),
  )
  const expanded = urls.flatMap(({ expanded_url: long }) => (long === undefined ? [] : [long, long.replace(/\/$/, '')]))
  const bare = expanded.flatMap((link) => [link, link.replace(/^https?:\/\//, '')])
  return shown === withoutLinks(ours, bare)
}
