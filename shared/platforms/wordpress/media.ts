import * as z from 'zod/mini'
import { streamRange } from '../../aws/bucket.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { filenameOf } from '../../media/types.ts'
import type { PlatformCall } from '../adapter.ts'
import { formWithFile } from '../multipart.ts'
import { classified, commonErrors, type PlatformError } from '../platform-error.ts'
import { callWordPress } from './api.ts'
import type { LibraryFile } from './content.ts'
import { definition } from './definition.ts'

/** A preparation has a minute. No upload starts later than this, and none lasts longer than `uploadMs`. */
const untilMs = 20_000
const uploadMs = 30_000

const Attachment = z.object({
  id: z.int(),
  slug: z.string(),
  source_url: z.string(),
  alt_text: z._default(z.string(), ''),
})
type Attachment = z.infer<typeof Attachment>
const _fields = 'id,slug,source_url,alt_text'

const asSlug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** A name by which the files and drafts of a post are found again; it is valid for every version of the post. */
export const slugOf = ({ id }: { id: string }): string => `social-${asSlug(id)}`

const fileSlug = ({ post }: PlatformCall, { id }: MediaFile) => `${slugOf(post)}-${asSlug(id)}`

/** The post's files in the site's library, by their slugs. */
const findFiles = async (call: PlatformCall, files: readonly MediaFile[]): Promise<Map<string, Attachment>> => {
  const slug = files.map((file) => fileSlug(call, file)).join(',')
  const query = { slug, per_page: '100', _fields }
  const attachments = await callWordPress(call.ctx, call.account, {
    path: '/wp/v2/media',
    query,
    reply: z.array(Attachment),
  })
  return new Map(attachments.map((attachment) => [attachment.slug, attachment]))
}

const Uploaded = z.union([Attachment, z.object({ code: z.string(), message: z._default(z.string(), '') })])

/** What PHP and WordPress reject has the status of a server error, and a separate code. */
const refused = (code: string, detail: string): PlatformError => {
  const isFile = code.startsWith('rest_upload_')
  const sentence = isFile ? (['invalid', 'site rejected the file'] as const) : commonErrors.noClearResponse
  return classified(definition.name, sentence, { httpStatus: 500, code, detail })
}

const upload = async (call: PlatformCall, file: MediaFile): Promise<Attachment> => {
  const { ctx, account } = call
  const { storageKey, mimeType, fileSize: size, altText = '' } = file
  const fields = { slug: fileSlug(call, file), ...(altText === '' ? {} : { alt_text: altText }) }
  const read = () => streamRange(ctx, storageKey, 0, size - 1)
  const sent = await callWordPress(ctx, account, {
    method: 'POST',
    path: '/wp/v2/media',
    query: { _fields },
    body: formWithFile(
      Object.entries(fields).map(([name, value]) => ({ name, value })),
      { name: filenameOf(file), mimeType, size, read },
    ),
    totalMs: uploadMs,
    accepts: [500],
    reply: Uploaded,
  })
  if ('code' in sent) throw refused(sent.code, sent.message)
  return sent
}

const describe = ({ ctx, account }: PlatformCall, { id }: Attachment, altText: string): Promise<unknown> =>
  callWordPress(ctx, account, {
    method: 'POST',
    path: '/wp/v2/media/{media}',
    params: { media: String(id) },
    query: { _fields: 'id' },
    body: { json: { alt_text: altText } },
    reply: z.unknown(),
  })

const shown = ({ id, source_url: url }: Attachment, { mimeType, altText = '' }: MediaFile): LibraryFile => ({
  id,
  url,
  altText,
  isVideo: mimeType.startsWith('video/'),
})

/** The files of a post, by their IDs here. */
export type Library = ReadonlyMap<string, LibraryFile>

const filesOf = ({ post }: PlatformCall) => {
  const named = Object.values(post.assets)
  return [...new Map([...post.media, ...named].map((file) => [file.id, file])).values()]
}

/** The files of a post that the library has. */
export const readFiles = async (call: PlatformCall): Promise<Library> => {
  const files = filesOf(call)
  if (files.length === 0) return new Map()
  const attachments = await findFiles(call, files)
  return new Map(
    files.flatMap((file) => {
      const stored = attachments.get(fileSlug(call, file))
      return stored === undefined ? [] : [[file.id, shown(stored, file)] as const]
    }),
  )
}

/**
 * Uploads the files that the library does not have, one after the other, because sites scale them on upload. Undefined if
 * some are left for another invocation.
 */
export const prepareFiles = async (call: PlatformCall): Promise<Library | undefined> => {
  const files = filesOf(call)
  if (files.length === 0) return new Map()
  const startedMs = call.ctx.clock.now()
  const attachments = await findFiles(call, files)
  const library = new Map<string, LibraryFile>()
  for (const file of files) {
    let stored = attachments.get(fileSlug(call, file))
    if (stored === undefined) {
      if (call.ctx.clock.now() - startedMs > untilMs) return undefined
      stored = await upload(call, file)
    } else if (stored.alt_text !== (file.altText ?? '')) {
      await describe(call, stored, file.altText ?? '')
    }
    library.set(file.id, shown(stored, file))
  }
  return library
}
