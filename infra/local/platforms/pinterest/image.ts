import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { readImage as inspect } from '../../../../shared/media/inspect/image.ts'
import type { Size } from '../../../../shared/media/inspect/info.ts'
import { sniff } from '../../../../shared/media/inspect/sniff.ts'
import { isImage, type MediaType } from '../../../../shared/media/types.ts'
import { refuse } from './refuse.ts'

/** An image that a Pin shows. */
export interface Image {
  key: string
  type: string
  /** Unknown for an image that is damaged. */
  size: Size | undefined
  bytes: Buffer
}

export const MediaSource = z.discriminatedUnion('source_type', [
  z.object({ source_type: z.literal('image_base64'), content_type: z.string(), data: z.string() }),
  z.object({ source_type: z.literal('image_url'), url: z.string() }),
  z.object({ source_type: z.literal('multiple_image_urls'), items: z.array(z.object({ url: z.string() })) }),
  z.object({
    source_type: z.literal('video_id'),
    media_id: z.string(),
    cover_image_content_type: z.optional(z.string()),
    cover_image_data: z.optional(z.string()),
    cover_image_url: z.optional(z.string()),
    cover_image_key_frame_time: z.optional(z.number()),
  }),
])
type MediaSource = z.infer<typeof MediaSource>
type ImageSource = Extract<MediaSource, { source_type: 'image_base64' | 'image_url' }>
export type VideoSource = Extract<MediaSource, { source_type: 'video_id' }>

const maxBytes = 20_000_000

function sizeOf(type: MediaType, bytes: Buffer): Size | undefined {
  try {
    const { width, height } = inspect(type, bytes).info
    return { width, height }
  } catch {
    return undefined
  }
}

function readImage(bytes: Buffer): Image {
  if (bytes.length > maxBytes) return refuse(400, 1, 'The image is larger than 20 MB.')
  const type = sniff(bytes)
  if (type === undefined || !isImage(type)) return refuse(400, 235, 'Sorry we could not recognize the image.')
  return { key: createHash('sha256').update(bytes).digest('hex').slice(0, 32), type, size: sizeOf(type, bytes), bytes }
}

async function load(url: string): Promise<Buffer> {
  const answer = await fetch(url).catch(() => undefined)
  if (!answer?.ok) return refuse(400, 235, 'Unable to reach the URL. Please check the URL is correct and try again.')
  return Buffer.from(await answer.arrayBuffer())
}

/** Takes the image from the request, or loads it from its address. */
export async function takeImage(source: ImageSource): Promise<Image> {
  if (source.source_type === 'image_url') return readImage(await load(source.url))
  const taken = readImage(Buffer.from(source.data, 'base64'))
  if (taken.type !== source.content_type)
    return refuse(400, 1, `The image is ${taken.type}, not ${source.content_type}.`)
  return taken
}

/** The cover of a video, which must have one: an image, or a frame, which needs no storage. */
export async function takeCover(source: VideoSource): Promise<Image | undefined> {
  const { cover_image_content_type: content_type, cover_image_data: data, cover_image_url: url } = source
  if (data !== undefined && content_type !== undefined) {
    return takeImage({ source_type: 'image_base64', content_type, data })
  }
  if (url !== undefined) return takeImage({ source_type: 'image_url', url })
  return source.cover_image_key_frame_time === undefined ? refuse(400, 1, 'A video needs a cover image.') : undefined
}
