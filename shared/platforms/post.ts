import type { MediaFile } from '../media/media-file.ts'

/** A post as an adapter publishes it. */
export interface OutgoingPost {
  id: string
  version: number
  /** The platform's text: that of its metadata block if it has one, otherwise the content. */
  text: string
  /** The platform's metadata block, parsed by its schema; undefined if there is none. */
  metadata: unknown
  /** The files in a form that the platform accepts; images are converted where needed. */
  media: readonly MediaFile[]
  /** The files that metadata fields name (`PostRules.assetFields`), by field. */
  assets: Readonly<Record<string, MediaFile>>
  scheduledAtMs: number
  /** The platform's id of the live post that this one replies to: the previous post of a thread. */
  replyTo?: string
}

/** A post that is public. Some platforms do not return its id or URL in every case. */
export interface PublishedPost {
  id: string | null
  url: string | null
  /** What the platform rejected in addition to accepting the post, as a sentence for its author. */
  warning?: string
}
