import * as z from 'zod/mini'
import { inJson } from '../graph/read.ts'

const caption = z.optional(z.string())
const alt_text = z.optional(z.string().check(z.maxLength(1000)))
const flag = z.optional(z.enum(['true', 'false']))
const is_ai_generated = flag
const name = z.string().check(z.regex(/^[\w.]{1,30}$/))
const share = z.number().check(z.minimum(0), z.maximum(1))
const atPoint = z.strictObject({ username: name, x: share, y: share })
const byName = z.strictObject({ username: name })
/** The tags of an image, of a reel, and of a story (IG User Media, user_tags; changelog, 2025-07-09). */
const onImage = inJson(z.array(atPoint).check(z.maxLength(20)))
const onReel = inJson(z.array(byName).check(z.maxLength(20)))
const onStory = inJson(z.array(z.union([atPoint, byName])).check(z.maxLength(20)))
const trial_params = inJson(z.strictObject({ graduation_strategy: z.enum(['MANUAL', 'SS_PERFORMANCE']) }))
const collaborators = inJson(z.array(name).check(z.maxLength(3)))

/** The fields of a container, by its media_type (Instagram API, Content publishing, 2026-03). */
export const forms = {
  IMAGE: z.strictObject({
    image_url: z.string(),
    caption,
    alt_text,
    collaborators,
    is_ai_generated,
    user_tags: onImage,
    is_carousel_item: z.optional(z.literal('true')),
  }),
  VIDEO: z.strictObject({
    media_type: z.literal('VIDEO'),
    video_url: z.string(),
    // A video that is a post by itself is a reel.
    is_carousel_item: z.literal('true'),
  }),
  REELS: z.strictObject({
    media_type: z.literal('REELS'),
    video_url: z.string(),
    caption,
    share_to_feed: flag,
    cover_url: z.optional(z.string()),
    thumb_offset: z.optional(z.string().check(z.regex(/^\d+$/))),
    audio_name: z.optional(z.string()),
    collaborators,
    is_ai_generated,
    user_tags: onReel,
    trial_params,
  }),
  STORIES: z.strictObject({
    media_type: z.literal('STORIES'),
    image_url: z.optional(z.string()),
    video_url: z.optional(z.string()),
    is_ai_generated,
    user_tags: onStory,
  }),
  CAROUSEL: z.strictObject({
    media_type: z.literal('CAROUSEL'),
    children: z.string(),
    caption,
    collaborators,
    is_ai_generated,
  }),
}
