import * as z from 'zod/mini'
import { type Call, parseJson } from '../standin.ts'
import { refuse } from './refuse.ts'

const Snippet = z.strictObject({
  title: z.string(),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  categoryId: z.string(),
  defaultLanguage: z.optional(z.string()),
})
const PlaylistItem = z.strictObject({
  snippet: z.strictObject({
    playlistId: z.string(),
    resourceId: z.strictObject({ kind: z.literal('youtube#video'), videoId: z.string() }),
  }),
})
const CaptionsInput = z.strictObject({
  snippet: z.strictObject({
    videoId: z.string(),
    language: z.string(),
    name: z.string().check(z.maxLength(150)),
    isDraft: z.literal(false),
  }),
})
const EditInput = z.strictObject({ id: z.string(), snippet: Snippet })
const VideoInput = z.strictObject({
  snippet: Snippet,
  status: z.strictObject({
    privacyStatus: z.enum(['public', 'unlisted', 'private']),
    selfDeclaredMadeForKids: z.optional(z.boolean()),
    containsSyntheticMedia: z.optional(z.boolean()),
  }),
  paidProductPlacementDetails: z.optional(z.strictObject({ hasPaidProductPlacement: z.boolean() })),
})
export type VideoInput = z.infer<typeof VideoInput>

const tagLength = (tag: string) => [...tag].length + (/\s/.test(tag) ? 2 : 0)

/** The parts of a video (YouTube Data API, Videos). */
const videoParts = [
  ...['contentDetails', 'fileDetails', 'id', 'liveStreamingDetails', 'localizations', 'paidProductPlacementDetails'],
  ...['player', 'processingDetails', 'recordingDetails', 'snippet', 'statistics', 'status', 'suggestions'],
  'topicDetails',
]

/** The parts of a video that a call names, in one parameter or in several. */
export function readParts({ query }: Call): string[] {
  const parts = query.getAll('part').flatMap((names) => names.split(','))
  if (parts.length === 0) refuse(400, 'missingRequiredParameter', 'No part')
  const unknown = parts.filter((name) => !videoParts.includes(name))
  return unknown.length === 0 ? parts : refuse(400, 'unknownPart', `${unknown.join(', ')} is no part of a video`)
}

/** The description of a new video, or YouTube's error for it. */
export function readVideo(call: Call): VideoInput {
  if (!/^application\/json\b/i.test(call.headers['content-type'] ?? '')) {
    refuse(400, 'badRequest', 'Content-Type must be application/json')
  }
  const input = readBody(call, VideoInput)
  checkSnippet(input.snippet)
  const parts = readParts(call)
  if (!Object.keys(input).every((name) => parts.includes(name))) {
    refuse(400, 'unexpectedPart', 'The part parameter does not name what the body has')
  }
  return input
}

/** The snippet that replaces the one of a video, or YouTube's error for it. */
export function readEdit(call: Call): z.infer<typeof EditInput> {
  const input = readBody(call, EditInput)
  checkSnippet(input.snippet)
  if (call.query.get('part') !== 'snippet') refuse(400, 'unexpectedPart', 'part must be snippet')
  return input
}

export function readPlaylistItem(call: Call): z.infer<typeof PlaylistItem> {
  return readBody(call, PlaylistItem)
}

export function readCaptions(call: Call): z.infer<typeof CaptionsInput> {
  return readBody(call, CaptionsInput)
}

function readBody<Schema extends z.ZodMiniType>(call: Call, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(parseJson(call.body, () => refuse(400, 'parseError', 'Parse Error')))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(400, 'invalidVideoMetadata', `${issue?.path.join('.')}: ${issue?.message}`)
}

function checkSnippet({ title, description = '', tags = [], categoryId }: z.infer<typeof Snippet>): void {
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
}
