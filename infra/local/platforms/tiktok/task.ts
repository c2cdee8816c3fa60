import { minuteMs } from '../../../../shared/time.ts'
import type { TikTokCreator } from './seed.ts'

/** A video, or photos, on the way to a creator's page. */
export interface VideoTask {
  publishId: string
  uploadId: string
  creatorId: string
  title: string
  privacyLevel: string
  videoSize: number
  chunkSize: number
  chunkCount: number
  received: number
  type: string
  openedAt: number
  uploadedAt: number | null
  /** The ID of the post, larger than a JavaScript number holds. */
  postId: string
  /** It is sent to the inbox of the creator, where no one else sees it. */
  isDraft?: boolean
  /** The photos that were fetched, or why they were not. */
  photos?: { types: string[] } | { failed: string }
}

const processingMs = 5_000
const slowProcessingMs = 10 * minuteMs
const slowModerationMs = 10 * minuteMs

export type Standing =
  | 'PROCESSING_UPLOAD'
  | 'PROCESSING_DOWNLOAD'
  | 'PUBLISH_COMPLETE'
  | 'SEND_TO_USER_INBOX'
  | { failed: string }

/**
 * TikTok's progress with a video. The title may contain a marker that decides: `#processing_stuck`, `#processing_slow` (ten
 * minutes), `#processing_fails_<fail_reason>`.
 */
export function standingOf({ title, uploadedAt, photos, isDraft }: VideoTask, now: number, isVideo: boolean): Standing {
  const isWaiting = photos === undefined ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD'
  if (uploadedAt === null || title.includes('#processing_stuck')) return isWaiting
  const takesMs = title.includes('#processing_slow') ? slowProcessingMs : processingMs
  if (now < uploadedAt + takesMs) return isWaiting
  const [, reason] = /#processing_fails_(\w+)/.exec(title) ?? []
  if (reason !== undefined) return { failed: reason }
  const done = isDraft ? 'SEND_TO_USER_INBOX' : 'PUBLISH_COMPLETE'
  if (photos !== undefined) return 'failed' in photos ? photos : done
  return isVideo ? done : { failed: 'file_format_check_failed' }
}

/** Whether the ID is reported: for public posts, after moderation (`#moderation_slow` takes ten minutes). */
export function isIdShown({ title, privacyLevel, uploadedAt }: VideoTask, now: number): boolean {
  if (privacyLevel !== 'PUBLIC_TO_EVERYONE' || uploadedAt === null) return false
  return !title.includes('#moderation_slow') || now >= uploadedAt + slowModerationMs
}

export const addressOf = (task: VideoTask, { username }: TikTokCreator): string =>
  task.privacyLevel === 'PUBLIC_TO_EVERYONE'
    ? `https://www.tiktok.com/@${username}/${task.photos === undefined ? 'video' : 'photo'}/${task.postId}`
    : `https://www.tiktok.com/@${username}`
