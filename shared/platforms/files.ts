import { streamRange } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import type { MediaFile } from '../media/media-file.ts'
import { originOf } from './base-urls.ts'
import type { PlatformDefinition } from './definition.ts'
import type { RequestBody } from './http.ts'
import { PlatformError } from './platform-error.ts'
import type { OutgoingPost } from './post.ts'

/** The video of a post at a platform that publishes videos only. */
export const videoOf = (name: string, { media: [file] }: OutgoingPost): MediaFile => {
  if (file === undefined) throw new PlatformError('invalid', `${name} requires a video. Attach one.`)
  return file
}

/** When to check again for a file that a platform processes: less and less often, since short videos take seconds. */
export const processingWaitSeconds = (waitedMs: number): number => Math.min(30, 2 + Math.floor(waitedMs / 5000))

/** The public address of a file, for platforms that fetch it themselves. */
export const mediaAddress = (ctx: Context, { storageKey }: Pick<MediaFile, 'storageKey'>): string =>
  `${ctx.env('MEDIA_URL')}/${storageKey.split('/').map(encodeURIComponent).join('/')}`

/** A range of a file as a request body, both ends inclusive; it is read from the bucket while it is sent. */
export const fileRange = (
  ctx: Context,
  { storageKey, mimeType }: Pick<MediaFile, 'storageKey' | 'mimeType'>,
  from: number,
  to: number,
): RequestBody => ({
  type: mimeType,
  bytes: { bytes: to - from + 1, open: () => streamRange(ctx, storageKey, from, to) },
})

/**
 * An upload address that a platform returned, to be used unchanged. One outside of the platform's own hosts gets
 * nothing: files and tokens would leave to a stranger.
 */
export const assertUploadAddress = (
  ctx: Context,
  { id, name }: Pick<PlatformDefinition, 'id' | 'name'>,
  address: string,
  hostSuffixes: readonly string[],
): string => {
  const url = URL.parse(address)
  const standIn = originOf(ctx, id)
  const isOwn =
    standIn === undefined
      ? url?.protocol === 'https:' && hostSuffixes.some((suffix) => url.hostname.endsWith(suffix))
      : url?.origin === standIn
  if (isOwn) return address
  const detail = `an upload address at ${url?.host ?? 'no host'}`
  throw new PlatformError('transient', `${name} returned an upload URL on a foreign host.`, {
    detail,
    operator: true,
  })
}
