import * as z from 'zod/mini'
import { type Call, parseJson } from '../standin.ts'
import { refuse } from './refuse.ts'

const VideoInput = z.strictObject({
  snippet: z.strictObject({
    title: z.string(),
    description: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
    categoryId: z.string(),
    defaultLanguage: z.optional(z.string()),
  }),
  status: z.strictObject({
    privacyStatus: z.enum(['public', 'unlisted', 'private']),
    selfDeclaredMadeForKids: z.optional(z.boolean()),
    containsSyntheticMedia: z.optional(z.boolean()),
  }),
  paidProductPlacementDetails: z.optional(z.strictObject({ hasPaidProductPlacement: z.boolean() })),
})
export type VideoInput = z.infer<typeof VideoInput>

const tagLength = (tag: string) => [...tag].length + (/\s/.test(tag) ? 2 : 0)

/** The description of a new video, or YouTube's refusal of it. */
export function readVideo(call: Call): VideoInput {
  if (!/^application\/json; charset=utf-8$/i.test(call.headers['content-type'] ?? '')) {
    refuse(400, 'badRequest', 'Content-Type must be application/json; charset=UTF-8')
  }
  const parsed = VideoInput.safeParse(parseJson(call.body, () => refuse(400, 'parseError', 'Parse Error')))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(400, 'invalidVideoMetadata', `${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { title, description = '', tags = [], categoryId } = parsed.data.snippet
  const bad = /[<>]/
  if (title.trim() === '' || [...title].length > 100 || bad.test(title)) {
    refuse(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.')
  }
  if (Buffer.byteLength(description) > 5000 || bad.test(description)) {
    refuse(400, 'invalidDescription', 'The request metadata specifies an invalid video description.')
  }
  if (tags.reduce((sum, tag) => sum + tagLength(tag), tags.length - 1) > 500) {
    refuse(400, 'invalidTags', 'The request metadata specifies invalid video keywords.')
  }
  if (!/^\d{1,2}$/.test(categoryId) || Number(categoryId) > 44) {
    refuse(400, 'invalidCategoryId', 'The snippet.categoryId property specifies an invalid category ID.')
  }
  if (call.query.getAll('part').join(',') !== Object.keys(parsed.data).join(',')) {
    refuse(400, 'unexpectedPart', 'The part parameter does not name what the body has')
  }
  return parsed.data
}
