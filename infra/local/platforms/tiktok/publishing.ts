import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { dayMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { assertJson, errorOf, ok, readInput, refuse } from './refuse.ts'
import type { TikTokCreator } from './seed.ts'
import { isIdShown, standingOf, type VideoTask } from './task.ts'
import { isVideo } from './uploads.ts'

/** What posts of all kinds say of themselves. */
export const postInfo = {
  privacy_level: z.enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY']),
  disable_comment: z.optional(z.boolean()),
  brand_content_toggle: z.optional(z.boolean()),
  brand_organic_toggle: z.optional(z.boolean()),
}
const PostInfo = z.object(postInfo)

/** What the creator may not do. */
export function assertAllowed(creator: TikTokCreator, info: z.infer<typeof PostInfo>): void {
  if (!creator.privacyLevels.includes(info.privacy_level)) {
    refuse(403, 'privacy_level_option_mismatch', 'The privacy level is not one of the creator')
  }
  if (creator.commentDisabled && info.disable_comment !== true) {
    refuse(400, 'invalid_params', 'The creator has comments disabled: disable_comment must be true')
  }
  if (info.brand_content_toggle === true && info.privacy_level === 'SELF_ONLY') {
    refuse(400, 'invalid_params', 'Branded content cannot be private')
  }
}

const Init = z.strictObject({
  post_info: z.strictObject({
    ...postInfo,
    title: z.optional(z.string().check(z.maxLength(2200))),
    disable_duet: z.optional(z.boolean()),
    disable_stitch: z.optional(z.boolean()),
    video_cover_timestamp_ms: z.optional(z.int().check(z.nonnegative())),
    is_aigc: z.optional(z.boolean()),
  }),
  source_info: z.strictObject({
    source: z.literal('FILE_UPLOAD'),
    video_size: z.int().check(z.positive(), z.maximum(4_000_000_000)),
    chunk_size: z.int().check(z.positive()),
    total_chunk_count: z.int().check(z.minimum(1), z.maximum(1000)),
  }),
})
const Draft = z.pick(Init, { source_info: true })
type Source = z.infer<typeof Init>['source_info']

/** Drafts that wait in an inbox (Content Posting API, Upload, 2026-11). */
const draftsADay = 5

/** Megabytes in the stricter of their two meanings. */
const smallestChunk = 5 * 1024 * 1024
const largestChunk = 64_000_000

function assertChunks({ video_size: size, chunk_size: chunk, total_chunk_count: count }: Source): void {
  const whole = count === 1 && chunk === size && size <= largestChunk
  const split = chunk >= smallestChunk && chunk <= largestChunk && count === Math.floor(size / chunk)
  if (!whole && !split) refuse(400, 'invalid_params', 'The total chunk count or the chunk size is invalid')
}

/** The rights of a creator, the start of a publication, and its status. */
export function openPublishing(
  { clock, url, blobs }: SimulatorContext,
  tasks: StoredMap<VideoTask>,
  creatorOf: (call: Call) => TikTokCreator,
  assertScope: (call: Call, isDraft: boolean) => void,
): Route[] {
  function creatorInfo(call: Call): Answer {
    const creator = creatorOf(call)
    assertJson(call)
    if (call.body.length > 0) refuse(400, 'invalid_params', 'The body must be empty')
    return ok({
      creator_avatar_url: 'https://p16.tiktokcdn.test/avatar.webp',
      creator_username: creator.username,
      creator_nickname: creator.name,
      privacy_level_options: creator.privacyLevels,
      comment_disabled: creator.commentDisabled,
      duet_disabled: false,
      stitch_disabled: false,
      max_video_post_duration_sec: creator.maxSeconds,
    })
  }

  function init(call: Call): Answer {
    const creator = creatorOf(call)
    assertScope(call, false)
    const { post_info: info, source_info: source } = readInput(call, Init)
    assertAllowed(creator, info)
    return open(creator, source, { title: info.title ?? '', privacyLevel: info.privacy_level })
  }

  function draft(call: Call): Answer {
    const creator = creatorOf(call)
    assertScope(call, true)
    const { source_info: source } = readInput(call, Draft)
    const waiting = tasks.values().filter((task) => task.creatorId === creator.id && task.isDraft)
    if (waiting.filter(({ openedAt }) => openedAt > clock.now() - dayMs).length >= draftsADay) {
      refuse(403, 'spam_risk_too_many_pending_share', 'The creator has too many drafts that wait')
    }
    return open(creator, source, { title: '', privacyLevel: 'SELF_ONLY', isDraft: true })
  }

  function open(
    creator: TikTokCreator,
    source: Source,
    about: Pick<VideoTask, 'title' | 'privacyLevel' | 'isDraft'>,
  ): Answer {
    assertChunks(source)
    const number = 7_400_000_000_000_000_000n + BigInt(`0x${randomBytes(6).toString('hex')}`)
    const task: VideoTask = {
      publishId: `${about.isDraft ? 'v_inbox_file' : 'v_pub_file'}~v2-1.${number}`,
      uploadId: String(number),
      creatorId: creator.id,
      ...about,
      videoSize: source.video_size,
      chunkSize: source.chunk_size,
      chunkCount: source.total_chunk_count,
      received: 0,
      type: '',
      openedAt: clock.now(),
      uploadedAt: null,
      postId: String(number + 1n),
    }
    tasks.set(task.uploadId, task)
    const upload = `${url}/video/?upload_id=${task.uploadId}&upload_token=${randomBytes(16).toString('hex')}%3D%3D`
    return ok({ publish_id: task.publishId, upload_url: upload })
  }

  function status(call: Call): Answer {
    const creator = creatorOf(call)
    const { publish_id: id } = readInput(call, z.strictObject({ publish_id: z.string().check(z.maxLength(64)) }))
    const task = tasks.values().find((candidate) => candidate.publishId === id && candidate.creatorId === creator.id)
    if (task === undefined) return refuse(400, 'invalid_publish_id', 'The publish id is not known')
    const standing = standingOf(task, clock.now(), isVideo(blobs.get(task.uploadId)))
    const failed = typeof standing === 'object' ? standing.failed : undefined
    const data = {
      status: failed === undefined ? standing : 'FAILED',
      uploaded_bytes: task.received,
      ...(failed === undefined ? {} : { fail_reason: failed }),
    }
    const showsId = standing === 'PUBLISH_COMPLETE' && isIdShown(task, clock.now())
    // TikTok's spelling, and a bare 64-bit number that no JavaScript JSON writer produces.
    const inner = JSON.stringify(data).replace(/}$/, showsId ? `,"publicaly_available_post_id":[${task.postId}]}` : '}')
    const body = `{"data":${inner},"error":${JSON.stringify(errorOf('ok', ''))}}`
    return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
  }

  const base = '/v2/post/publish'
  return [
    { method: 'POST', path: `${base}/creator_info/query/`, operation: 'creator', answer: creatorInfo },
    { method: 'POST', path: `${base}/video/init/`, operation: 'init', answer: init },
    { method: 'POST', path: `${base}/inbox/video/init/`, operation: 'init', answer: draft },
    { method: 'POST', path: `${base}/status/fetch/`, operation: 'status', answer: status },
  ]
}
