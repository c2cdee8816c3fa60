import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { mediaAddress } from '../files.ts'
import { tokenOf } from '../oauth.ts'
import type { OutgoingPost, PublishedPost } from '../post.ts'
import { callTikTok } from './api.ts'
import { TikTokMetadata } from './definition.ts'
import { ofDraft } from './errors.ts'
import { assertLanded, type Begun } from './standing.ts'

/** Photos as journaled: the body of the call that publishes them, and their publish ID once TikTok has responded. */
export const Photos = z.object({
  photos: z.object({ privacyLevel: z.string(), json: z.record(z.string(), z.unknown()) }),
  publishId: z.optional(z.string()),
})
type Photos = z.infer<typeof Photos>

export const isPhotoPost = ({ metadata }: OutgoingPost): boolean => z.parse(TikTokMetadata, metadata).format === 'photo'

/** The request for photos, which TikTok fetches by their addresses (Content Posting API, Photo). */
export const describePhotos = (
  { ctx, post }: PlatformCall,
  { privacyLevel, photoTitle, photoCoverIndex = 0, postMode = 'DIRECT_POST' }: TikTokMetadata,
  info: Readonly<Record<string, unknown>>,
): Photos => ({
  photos: {
    privacyLevel,
    json: {
      media_type: 'PHOTO',
      post_mode: postMode,
      post_info: { ...(photoTitle ? { title: photoTitle } : {}), description: post.text, ...info },
      source_info: {
        source: 'PULL_FROM_URL',
        photo_images: post.media.map((file) => mediaAddress(ctx, file)),
        photo_cover_index: photoCoverIndex,
      },
    },
  },
})

/** The publication of photos whose publish ID is known. */
export const begunBy = ({ publishId, photos }: Photos): Begun | undefined =>
  publishId === undefined ? undefined : { publishId, privacyLevel: photos.privacyLevel, kind: 'photo', size: 0 }

const Opened = z.object({ publish_id: z.string() })

/** The one call that publishes; TikTok recognizes no repeat. */
export const publishPhotos = async (call: PlatformCall, prepared: Photos): Promise<PublishedPost> => {
  const { ctx, account } = call
  const path = '/v2/post/publish/content/init/'
  const { json, privacyLevel } = prepared.photos
  const { data } = await callTikTok(ctx, { path, token: tokenOf(account), json, creates: true, reply: Opened }).catch(
    (error) => {
      throw json['post_mode'] === 'MEDIA_UPLOAD' ? ofDraft(error) : error
    },
  )
  const ref = { ...prepared, publishId: data.publish_id }
  return assertLanded(call, { publishId: data.publish_id, privacyLevel, kind: 'photo', size: 0 }, { ref })
}
