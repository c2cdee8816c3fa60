import * as z from 'zod/mini'
import { codePoints } from '../counting.ts'
import type { OutgoingPost } from '../post.ts'
import { maxTitle, YouTubeMetadata } from './definition.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** As much of a text as fits; no character that a reader sees as one is cut apart. */
const cut = (text: string, max: number): string => {
  let [kept, used] = ['', 0]
  for (const { segment } of segmenter.segment(text)) {
    used += codePoints(segment)
    if (used > max) break
    kept += segment
  }
  return kept.trim()
}

/** The title where the author gave none: the first line of the text, else the name of the file. */
const defaultTitle = ({ text, media }: OutgoingPost): string => {
  const lines = [...text.split(/\r?\n/), media[0]?.originalFilename ?? '', 'Video']
  const titles = lines.map((line) => cut(line.replace(/[<>]/g, '').trim(), maxTitle))
  return titles.find((title) => title !== '') ?? ''
}

/** A video as YouTube is told of it. */
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
