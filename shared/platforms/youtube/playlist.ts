import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { callYouTube } from './api.ts'
import { definition } from './definition.ts'

/** All calls fit into what the publishing call and the thumbnail leave of the function's minute. */
const totalMs = 3_000

const Items = z.object({ items: z.array(z.unknown()) })

/** Whether the playlist has the video (YouTube Data API, playlistItems.list, 2026-11-27: 1 unit). */
const has = async ({ ctx, account }: PlatformCall, playlistId: string, videoId: string): Promise<boolean> => {
  const query = { part: 'id', playlistId, videoId }
  const request = { path: '/playlistItems', token: tokenOf(account), query, totalMs, reply: Items }
  return (await callYouTube(ctx, request)).items.length > 0
}

/** Puts the video at the end of the playlist (playlistItems.insert: scope `youtube.force-ssl`, 50 units). */
const insert = ({ ctx, account }: PlatformCall, playlistId: string, videoId: string) => {
  const json = { snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId } } }
  const query = { part: 'snippet' }
  const request = { path: '/playlistItems', token: tokenOf(account), query, json, totalMs, reply: z.unknown() }
  return callYouTube(ctx, request)
}

/** A playlist takes a video twice: after a lost response it is read, and nothing is sent again. */
const isUnknown = (error: unknown) => error instanceof PlatformError && error.errorClass === 'unknown'

const reasonOf = (error: unknown): string => {
  if (!(error instanceof PlatformError)) return 'the call failed.'
  return error.info.httpStatus === 404 ? 'the channel has no such playlist.' : error.message
}

/**
 * Puts a video that exists into a playlist, unless it is in it. Nothing of it fails the video, which is live: answers what to
 * tell the author instead.
 */
export const addToPlaylist = async (
  call: PlatformCall,
  videoId: string,
  playlistId: string,
): Promise<string | undefined> => {
  try {
    if (await has(call, playlistId, videoId)) return undefined
    await insert(call, playlistId, videoId).catch(async (error: unknown) => {
      if (!isUnknown(error) || !(await has(call, playlistId, videoId))) throw error
    })
    return undefined
  } catch (error) {
    const about = { platform: definition.id, postId: call.post.id, reason: String(error) }
    call.ctx.log.warn('video not put into the playlist', about)
    return `The video was not put into the playlist: ${reasonOf(error)}`
  }
}
