import * as z from 'zod/mini'
import { cutText } from '../../text/cut.ts'
import { codePoints } from '../counting.ts'
import type { OutgoingPost } from '../post.ts'
import { maxTitle, YouTubeMetadata } from './definition.ts'

/** The title where the author gave none: the first line of the text, else the name of the file. */
const defaultTitle = ({ text, media }: OutgoingPost): string => {
  const lines = [...text.split(/\r?\n/), media[0]?.originalFilename ?? '', 'Video']
  const titles = lines.map((line) => cutText(line.replace(/[<>]/g, '').trim(), maxTitle, codePoints).trim())
  return titles.find((title) => title !== '') ?? ''
}

/** The video resource for YouTube. */
export const describeVideo = (post: OutgoingPost) => {
  const metadata = z.parse(YouTubeMetadata, post.metadata ?? {})
  const { title = defaultTitle(post), tags = [], categoryId = '22', privacyStatus = 'public' } = metadata
  return {
    // Somebody who wants no bell rung says so.
    notifySubscribers: metadata.notifySubscribers ?? true,
    resource: {
      snippet: { title, description: post.text, ...(tags.length > 0 ? { tags } : {}), categoryId },
      // Always said: left out it would mean public (revision history, 2026-11-02).
      status: { privacyStatus, selfDeclaredMadeForKids: metadata.madeForKids ?? false },
    },
  }
}
