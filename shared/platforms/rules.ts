import * as z from 'zod/mini'
import { sentenceOf } from '../http/sentence.ts'
import type { Issue, PlatformCard, PostMedia } from './platform.ts'

/** One account's share of a post, as it is validated. */
export interface CheckedPost {
  socialAccountId: string
  content: string
  metadata: unknown
  media: readonly PostMedia[]
}

/** A finding without the account and platform it is about. */
type Finding = Required<Pick<Issue, 'code' | 'message' | 'next'>>

const checkText = ({ rules }: PlatformCard, { content, media }: CheckedPost): Finding[] => {
  if (content.trim() === '') {
    if (media.length > 0 && rules.emptyTextWithMedia) return []
    const next = rules.emptyTextWithMedia ? 'Write a text or attach media.' : 'Write a text.'
    return [{ code: 'content_empty', message: 'the post is empty', next }]
  }
  return rules.measures.flatMap(({ max, unit, count }) => {
    const used = count(content)
    if (used <= max) return []
    const next = `Shorten the text by ${used - max} ${unit}.`
    return [{ code: 'content_length', message: `${used}/${max} ${unit}`, next }]
  })
}

const checkMetadata = ({ id, rules }: PlatformCard, { metadata }: CheckedPost): Finding[] => {
  const block = rules.metadata
  if (!block) return []
  const name = `metadata.${id}`
  if (metadata === undefined || metadata === null) {
    if (!block.required) return []
    return [{ code: 'metadata_required', message: `${name} is missing`, next: `Send the block ${name}.` }]
  }
  const parsed = z.safeParse(block.schema, metadata, { reportInput: true })
  return (parsed.error?.issues ?? []).map((issue) => {
    const { field, message } = sentenceOf({ ...issue, path: ['metadata', id, ...issue.path] }, name)
    return { code: 'metadata_invalid', message, next: `Correct ${field}.` }
  })
}

const checkFile = ({ name, rules }: PlatformCard, file: PostMedia): Finding[] => {
  const { types, maxBytes } = rules.media
  if (!types.includes(file.mimeType)) {
    const message = `${file.originalFilename} is ${file.mimeType}`
    return [{ code: 'media_type', message, next: `Attach only what ${name} takes here: ${types.join(', ')}.` }]
  }
  if (file.fileSize <= maxBytes) return []
  const message = `${file.originalFilename} has ${file.fileSize}/${maxBytes} bytes`
  return [{ code: 'media_size', message, next: 'Attach a smaller file.' }]
}

const checkMedia = (card: PlatformCard, { media }: CheckedPost): Finding[] => {
  const { max, maxTotalBytes } = card.rules.media
  const findings = media.flatMap((file) => checkFile(card, file))
  if (media.length > max) {
    const next = `Attach at most ${max} files.`
    findings.push({ code: 'media_count', message: `${media.length}/${max} files`, next })
  }
  const totalBytes = media.reduce((sum, { fileSize }) => sum + fileSize, 0)
  if (maxTotalBytes !== undefined && totalBytes > maxTotalBytes) {
    const message = `all files together have ${totalBytes}/${maxTotalBytes} bytes`
    findings.push({ code: 'media_size', message, next: 'Attach fewer or smaller files.' })
  }
  return findings
}

/** Everything a platform's rules have against a post; validate and schedule ask the same question here. */
export const checkPost = (card: PlatformCard, post: CheckedPost): Issue[] =>
  [...checkText(card, post), ...checkMetadata(card, post), ...checkMedia(card, post)].map((finding) => ({
    socialAccountId: post.socialAccountId,
    platform: card.id,
    ...finding,
    message: `${card.name}: ${finding.message}`,
  }))
