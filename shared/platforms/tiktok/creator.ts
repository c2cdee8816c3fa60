import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { callTikTok } from './api.ts'
import { TikTokMetadata } from './definition.ts'

/** What TikTok lets this account do right now (Content Posting API, Query Creator Info). */
const Creator = z.object({
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.optional(z.boolean()),
  duet_disabled: z.optional(z.boolean()),
  stitch_disabled: z.optional(z.boolean()),
  max_video_post_duration_sec: z.optional(z.number()),
})
type Creator = z.infer<typeof Creator>

const assertAllowed = ({ post }: PlatformCall, { privacyLevel }: TikTokMetadata, creator: Creator) => {
  const { privacy_level_options: offered, max_video_post_duration_sec: maxSeconds } = creator
  if (!offered.includes(privacyLevel)) {
    const text = `TikTok does not offer ${privacyLevel} to this account. Choose one of ${offered.join(', ')}.`
    throw new PlatformError('invalid', text, { code: 'privacy_level_option_mismatch' })
  }
  const seconds = (post.media[0]?.durationMs ?? 0) / 1000
  if (maxSeconds !== undefined && seconds > maxSeconds) {
    throw new PlatformError(
      'invalid',
      `TikTok accepts videos of at most ${maxSeconds} s from this account; this one has ${seconds} s.`,
    )
  }
}

/** How the post is to appear, once TikTok has said that the account may post so. */
export const askForPostInfo = async (call: PlatformCall): Promise<Readonly<Record<string, unknown>>> => {
  const { ctx, account, post } = call
  const path = '/v2/post/publish/creator_info/query/'
  const { data: creator } = await callTikTok(ctx, { path, token: tokenOf(account), json: null, reply: Creator })
  const metadata = z.parse(TikTokMetadata, post.metadata)
  assertAllowed(call, metadata, creator)
  const coverMs = metadata.videoCoverTimestampMs
  return {
    title: post.text,
    privacy_level: metadata.privacyLevel,
    disable_duet: creator.duet_disabled === true || metadata.disableDuet === true,
    disable_comment: creator.comment_disabled === true || metadata.disableComment === true,
    disable_stitch: creator.stitch_disabled === true || metadata.disableStitch === true,
    ...(coverMs === undefined ? {} : { video_cover_timestamp_ms: Math.round(coverMs) }),
    brand_content_toggle: false,
    brand_organic_toggle: false,
    is_aigc: false,
  }
}
