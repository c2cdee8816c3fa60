import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { callYouTube } from './api.ts'
import { giveBeside } from './beside.ts'

/** All calls fit into the rest of the function's minute after the publishing call and the thumbnail. */
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

/** A playlist accepts a video twice: after a lost response it is read, and nothing is sent again. */
const isUnknown = (error: unknown) => error instanceof PlatformError && error.errorClass === 'unknown'

const reasonOf = (error: unknown): string | undefined => {
  const isMissing = error instanceof PlatformError && error.info.httpStatus === 404
  return isMissing ? 'the channel has no such playlist.' : undefined
}

/** Adds a live video to a playlist, unless it is in it; returns what to tell the author if that fails. */
export const addToPlaylist = (call: PlatformCall, videoId: string, playlistId: string): Promise<string | undefined> => {
  const give = async () => {
    if (await has(call, playlistId, videoId)) return
    await insert(call, playlistId, videoId).catch(async (error: unknown) => {
      if (!isUnknown(error) || !(await has(call, playlistId, videoId))) throw error
    })
  }
  return giveBeside(call, 'The video was not put into the playlist', give, reasonOf)
}
