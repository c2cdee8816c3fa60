import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { streamRange } from '../../aws/bucket.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { allowedOrigins } from '../../net/address.ts'
import type { PlatformCall } from '../adapter.ts'
import { originOf } from '../base-urls.ts'
import { fileRange } from '../files.ts'
import { requestJson, unclearResponse } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { keysOf } from './account.ts'
import { definition } from './definition.ts'
import { classifyMediaServerError } from './errors.ts'
import { kinds, signEvent, type Tag } from './event.ts'

/** A preparation has a minute. */
const uploadMs = 45_000
const authorizedSeconds = 600

/** The SHA-256 of a file, which is read in pieces: a video does not fit into memory. */
const hashOf = async ({ ctx }: PlatformCall, { storageKey, fileSize }: MediaFile): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of streamRange(ctx, storageKey, 0, fileSize - 1)) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * The proof that the account uploads the file (BUD-11, Nostr Authorization, 2026-04-22). Servers before 2026 read Base64
 * with padding, newer ones without: the text has no character in which both differ, and spaces fill it up.
 */
const authorization = ({ ctx, account }: PlatformCall, server: string, hash: string): string => {
  const createdAt = Math.floor(ctx.clock.now() / 1000)
  const tags = [
    ['t', 'upload'],
    ['x', hash],
    ['expiration', String(createdAt + authorizedSeconds)],
    ['server', new URL(server).hostname],
  ]
  const { secretKey } = keysOf(account)
  const json = JSON.stringify(signEvent(secretKey, { kind: kinds.upload, createdAt, tags, content: 'Upload' }))
  return `Nostr ${Buffer.from(json.padEnd(Math.ceil(json.length / 3) * 3)).toString('base64url')}`
}

/** What readers of a post learn about a file before they load it (NIP-92, 2026-07-22). */
const describe = (url: string, hash: string, { mimeType, width, height, altText }: MediaFile): Tag => [
  'imeta',
  `url ${url}`,
  `m ${mimeType}`,
  ...(width && height ? [`dim ${width}x${height}`] : []),
  ...(altText ? [`alt ${altText.replace(/\s+/g, ' ')}`] : []),
  `x ${hash}`,
]

/** The address of a file, and the tag about it. */
export interface UploadedFile {
  url: string
  tag: Tag
}

const Uploaded = z.object({ url: z.url({ protocol: /^https?$/ }).check(z.maxLength(2000)), sha256: z.string() })

const upload = async (call: PlatformCall, server: string, file: MediaFile): Promise<UploadedFile> => {
  const { ctx } = call
  const hash = await hashOf(call, file)
  const request = {
    platform: definition,
    method: 'PUT',
    base: originOf(ctx, definition.id) ?? server,
    path: '/upload',
    headers: { authorization: authorization(call, server, hash), 'x-sha-256': hash },
    body: fileRange(ctx, file, 0, file.fileSize - 1),
    totalMs: uploadMs,
    guard: { allowedOrigins: allowedOrigins(ctx) },
    classifyError: classifyMediaServerError,
  } as const
  const { url, sha256 } = await requestJson(ctx, { ...request, reply: Uploaded })
  if (sha256 !== hash) throw unclearResponse(request, 'a file with another hash')
  return { url, tag: describe(url, hash, file) }
}

/** Uploads the files of a post to the media server of the account; the address and the tag of each. */
export const uploadMedia = async (call: PlatformCall): Promise<readonly UploadedFile[]> => {
  const { mediaServer } = keysOf(call.account)
  if (mediaServer === undefined) {
    if (call.post.media.length === 0) return []
    throw new PlatformError(
      'invalid',
      'Nostr account has no media server. Connect it again with one, or remove the media.',
    )
  }
  return Promise.all(call.post.media.map((file) => upload(call, mediaServer, file)))
}
