import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { PlatformError } from '../platform-error.ts'
import { callServer } from './api.ts'
import type { ServerLimits } from './limits.ts'

/** Values of a server beyond this are ignored. */
const maxLimit = 2 ** 40

/** An invalid limit counts as not stated. `z.catch` would bring 7 KB of zod's helpers into each function. */
const limit = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => {
      const isLimit = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxLimit
      return isLimit ? value : undefined
    }),
  ),
)

const Configuration = z.object({
  statuses: z.optional(z.object({ max_characters: limit, max_media_attachments: limit })),
  media_attachments: z.optional(
    z.object({
      image_size_limit: limit,
      image_matrix_limit: limit,
      video_size_limit: limit,
      video_matrix_limit: limit,
      video_frame_rate_limit: limit,
    }),
  ),
  polls: z.optional(
    z.object({
      max_options: limit,
      max_characters_per_option: limit,
      min_expiration: limit,
      max_expiration: limit,
    }),
  ),
})

/** Mastodon reports it in `configuration`. Pleroma and its relatives report the length of a text outside of it. */
const Instance = z.object({ max_toot_chars: limit, configuration: z.optional(z.unknown()) })

const timeoutMs = 4_000

/**
 * Reads the limits of a server in the format of `limitsOf`; limits that the server does not report are absent. Servers
 * without the second version of the route have the first.
 */
export const readLimits = async (ctx: Context, server: string): Promise<Record<string, number>> => {
  const ask = (path: string) => callServer(ctx, server, { path, totalMs: timeoutMs, reply: Instance })
  const { max_toot_chars: characters, configuration } = await ask('/api/v2/instance').catch((error: unknown) => {
    if (error instanceof PlatformError && error.info.notFound) return ask('/api/v1/instance')
    throw error
  })
  const { statuses, media_attachments: media, polls } = z.safeParse(Configuration, configuration).data ?? {}
  const said: Record<keyof ServerLimits, number | undefined> = {
    maxCharacters: statuses?.max_characters ?? characters,
    maxMedia: statuses?.max_media_attachments,
    imageBytes: media?.image_size_limit,
    imagePixels: media?.image_matrix_limit,
    videoBytes: media?.video_size_limit,
    videoPixels: media?.video_matrix_limit,
    videoFramesPerSecond: media?.video_frame_rate_limit,
    pollOptions: polls?.max_options,
    pollOptionCharacters: polls?.max_characters_per_option,
    pollMinSeconds: polls?.min_expiration,
    pollMaxSeconds: polls?.max_expiration,
  }
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
