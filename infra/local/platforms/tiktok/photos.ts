import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { fetchMedia } from '../graph/fetch-media.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { assertAllowed, postInfo } from './publishing.ts'
import { ok, readInput, refuse } from './refuse.ts'
import type { TikTokCreator } from './seed.ts'
import type { VideoTask } from './task.ts'

const texts = {
  title: z.optional(z.string().check(z.maxLength(90))),
  description: z.optional(z.string().check(z.maxLength(4000))),
}
const shared = {
  media_type: z.literal('PHOTO'),
  source_info: z.strictObject({
    source: z.literal('PULL_FROM_URL'),
    photo_images: z.array(z.url()).check(z.minLength(1), z.maxLength(35)),
    photo_cover_index: z.int().check(z.nonnegative()),
  }),
}
const Direct = z.strictObject({
  ...shared,
  post_mode: z.literal('DIRECT_POST'),
  post_info: z.strictObject({ ...postInfo, ...texts, auto_add_music: z.optional(z.boolean()) }),
})
const Draft = z.strictObject({ ...shared, post_mode: z.literal('MEDIA_UPLOAD'), post_info: z.strictObject(texts) })
const Init = z.discriminatedUnion('post_mode', [Direct, Draft])

const types = ['image/jpeg', 'image/webp']
const maxBytes = 20_000_000

export const photoKey = (uploadId: string, index: number): string => `${uploadId}-photo-${index}`

/** Photos are public by one call, which names their addresses. */
export function openPhotos(
  { clock, blobs }: SimulatorContext,
  tasks: StoredMap<VideoTask>,
  creatorOf: (call: Call) => TikTokCreator,
  assertScope: (call: Call, isDraft: boolean) => void,
): Route[] {
  async function fetchPhotos(uploadId: string, addresses: readonly string[]): Promise<VideoTask['photos']> {
    const files = await Promise.all(addresses.map(fetchMedia))
    const fetched = files.flatMap((file) => (file.kind === 'file' ? [file] : []))
    if (fetched.length < files.length) return { failed: 'photo_pull_failed' }
    if (fetched.some(({ type }) => !types.includes(type))) return { failed: 'file_format_check_failed' }
    if (fetched.some(({ bytes }) => bytes.length > maxBytes)) return { failed: 'picture_size_check_failed' }
    for (const [index, { bytes }] of fetched.entries()) blobs.put(photoKey(uploadId, index), bytes)
    return { types: fetched.map(({ type }) => type) }
  }

  async function init(call: Call): Promise<Answer> {
    const creator = creatorOf(call)
    const input = readInput(call, Init)
    const { post_info: info, source_info: source } = input
    const isDraft = input.post_mode === 'MEDIA_UPLOAD'
    assertScope(call, isDraft)
    if (!isDraft) assertAllowed(creator, input.post_info)
    if (source.photo_cover_index >= source.photo_images.length) {
      refuse(400, 'invalid_params', 'photo_cover_index names none of the photos')
    }
    const number = 7_400_000_000_000_000_000n + BigInt(`0x${randomBytes(6).toString('hex')}`)
    const uploadId = String(number)
    const photos = await fetchPhotos(uploadId, source.photo_images)
    const sizes = { videoSize: 0, chunkSize: 0, chunkCount: 0, received: 0 }
    const title = [info.title, info.description].filter(Boolean).join('\n\n')
    tasks.set(uploadId, {
      publishId: `p_pub_url~v2.${number}`,
      uploadId,
      creatorId: creator.id,
      postId: String(number + 1n),
      title,
      privacyLevel: isDraft ? 'SELF_ONLY' : input.post_info.privacy_level,
      type: '',
      openedAt: clock.now(),
      uploadedAt: clock.now(),
      ...sizes,
      isDraft,
      ...(photos ? { photos } : {}),
    })
    return ok({ publish_id: `p_pub_url~v2.${number}` })
  }

  return [{ method: 'POST', path: '/v2/post/publish/content/init/', operation: 'create', answer: init }]
}
