import type { Context } from '../../context.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { cutText } from '../../text/cut.ts'
import { mediaAddress } from '../files.ts'
import type { ContainerPlan } from '../graph/containers.ts'
import { PlatformError } from '../platform-error.ts'
import type { OutgoingPost } from '../post.ts'
import { InstagramMetadata, maxAltText } from './metadata.ts'
import { userTagsOf } from './user-tags.ts'

type Fields = Record<string, string>

/** Only existing fields: an empty field is rejected. */
const said = (fields: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])))

const isVideo = ({ mimeType }: MediaFile) => mimeType.startsWith('video/')

/** Truncated rather than rejected, if it comes from the file: the alt text matters less than the post. */
const altFields = (text: string | undefined) => said({ alt_text: text && cutText(text, maxAltText) })

/** For what is shown as one post; never for the items of a carousel. */
const label = ({ isAiGenerated }: InstagramMetadata) => said({ is_ai_generated: isAiGenerated?.toString() })

const whole = (text: string, metadata: InstagramMetadata) => {
  const { collaborators = [] } = metadata
  const fields = {
    caption: text,
    collaborators: collaborators.length > 0 ? JSON.stringify(collaborators.map((name) => name.replace(/^@/, ''))) : '',
  }
  return { ...said(fields), ...label(metadata) }
}

const tags = (metadata: InstagramMetadata, index = 0) => said({ user_tags: userTagsOf(metadata, index) })

const childFields = (ctx: Context, file: MediaFile, metadata: InstagramMetadata, index: number): Fields => ({
  ...(isVideo(file)
    ? { media_type: 'VIDEO', video_url: mediaAddress(ctx, file) }
    : { image_url: mediaAddress(ctx, file) }),
  is_carousel_item: 'true',
  ...(isVideo(file) ? {} : altFields(file.altText ?? metadata.altText)),
  ...tags(metadata, index),
})

const reelFields = (
  ctx: Context,
  { text, assets }: OutgoingPost,
  file: MediaFile,
  metadata: InstagramMetadata,
): Fields => {
  const { audioName, shareToFeed, thumbOffset, trialParams } = metadata
  const cover = assets['coverMediaAssetId']
  const moment = thumbOffset === undefined ? undefined : String(Math.round(thumbOffset))
  return {
    media_type: 'REELS',
    video_url: mediaAddress(ctx, file),
    ...whole(text, metadata),
    ...tags(metadata),
    ...said({ audio_name: audioName, share_to_feed: shareToFeed?.toString() }),
    ...(trialParams ? { trial_params: JSON.stringify({ graduation_strategy: trialParams.graduationStrategy }) } : {}),
    // A cover wins over a moment of the video (Instagram API, IG User Media).
    ...(cover ? { cover_url: mediaAddress(ctx, cover) } : said({ thumb_offset: moment })),
  }
}

/** The parts of a post, by its format. */
export const planOf = (ctx: Context, post: OutgoingPost): ContainerPlan => {
  const metadata = InstagramMetadata.parse(post.metadata)
  const { text, media } = post
  const { format, altText } = metadata
  const [file] = media
  if (!file) throw new PlatformError('invalid', 'Instagram requires media. Attach an image or a video.')
  // A story shows no text.
  const reference = { format, text: format === 'story' ? '' : text }
  switch (format) {
    case 'feed_image': {
      const alt = altFields(altText ?? file.altText)
      return {
        items: [{ image_url: mediaAddress(ctx, file), ...whole(text, metadata), ...tags(metadata), ...alt }],
        reference,
      }
    }
    case 'carousel': {
      const items = media.map((child, index) => childFields(ctx, child, metadata, index))
      return { items, parent: { media_type: 'CAROUSEL', ...whole(text, metadata) }, reference }
    }
    case 'reel':
      return { items: [reelFields(ctx, post, file, metadata)], reference }
    case 'story': {
      const address = mediaAddress(ctx, file)
      const item = {
        media_type: 'STORIES',
        ...(isVideo(file) ? { video_url: address } : { image_url: address }),
        ...label(metadata),
        ...tags(metadata),
      }
      return { items: [item], reference }
    }
  }
}
