import { hasChanged, headObject, isGone, readRange, removeObject } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { readImage } from './inspect/image.ts'
import type { MediaInfo } from './inspect/info.ts'
import { invalidFile } from './inspect/invalid-file.ts'
import { describeType, sniff } from './inspect/sniff.ts'
import { openSource, type Source } from './inspect/source.ts'
import { readVideo } from './inspect/video.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { isImage, type MediaType } from './types.ts'

/** Where PDF readers search for the signature (ISO 32000-1, annex H.3.4.1). */
const pdfBytes = 1024

const zipEnd = Buffer.from('PK\x05\x06', 'latin1')
const zipEndBytes = 22

/** The maximum length of a ZIP's end record with its comment. */
const tailBytes = zipEndBytes + 65_535

/** A ZIP is identified by its end (APPNOTE 4.3.16): a record whose comment reaches exactly to the end of the file. */
const endsAsZip = (tail: Buffer): boolean => {
  const at = tail.lastIndexOf(zipEnd)
  return at >= 0 && at + zipEndBytes <= tail.length && at + zipEndBytes + tail.readUInt16LE(at + 20) === tail.length
}

/** Rejects a file that is also a valid document or archive, wherever that is hidden. */
const assertNotPolyglot = (start: Buffer, tail: Buffer): void => {
  if (start.subarray(0, pdfBytes).includes('%PDF-')) throw invalidFile('media_polyglot', 'is also a PDF')
  if (endsAsZip(tail)) throw invalidFile('media_polyglot', 'is also a ZIP archive')
}

/** The ETag of exactly the bytes that were inspected, and their measurements. */
interface Inspected {
  etag: string
  info: MediaInfo
}

type Claim = Pick<CompleteUploadRequest, 'mimeType' | 'fileSize'>

const assertUploaded = async (ctx: Context, key: string, { fileSize }: Claim): Promise<string> => {
  const object = await headObject(ctx, key)
  if (object === undefined) {
    throw new Refusal('invalid', 'No file was uploaded for this storageKey. Upload it to the uploadUrl first.', {
      code: 'file_not_uploaded',
      field: 'storageKey',
    })
  }
  if (object.fileSize === 0) throw invalidFile('media_empty', 'is empty')
  if (object.fileSize === fileSize) return object.etag
  const text = `"fileSize" is ${fileSize}, but the uploaded file has ${object.fileSize} bytes. Send its actual size.`
  throw new Refusal('invalid', text, { code: 'media_size', field: 'fileSize' })
}

const assertType = (start: Buffer, mimeType: MediaType): void => {
  const type = sniff(start)
  if (type === mimeType) return
  const text = `"mimeType" is ${mimeType}, but the file's contents are ${type ?? describeType(start)}. Upload it again.`
  throw new Refusal('invalid', text, { code: 'media_type', field: 'mimeType' })
}

/** Inspects a whole file of a declared type; skips frames and sound of videos. */
export const inspectFile = async (source: Source, mimeType: MediaType): Promise<MediaInfo> => {
  const { size, start } = source
  assertType(start, mimeType)
  if (isImage(mimeType)) {
    const whole = await source.read(0, size)
    assertNotPolyglot(start, whole.subarray(-tailBytes))
    return readImage(mimeType, whole)
  }
  const info = await readVideo(source)
  assertNotPolyglot(start, await source.read(Math.max(0, size - tailBytes), size))
  return info
}

/** The file changed: a second upload to the same URL, or a concurrent completion. */
export const uploadChanged = (): Refusal =>
  new Refusal('conflict', 'The file was replaced or completed during the inspection. Complete the upload again.', {
    code: 'upload_changed',
    field: 'storageKey',
  })

/** Whether the file can never be accepted. A wrong size can be the caller's mistake. */
const isHopeless = (error: unknown) =>
  error instanceof Refusal &&
  error.reason === 'invalid' &&
  !['media_size', 'file_not_uploaded'].includes(error.details.code)

/**
 * Inspects the uploaded file itself: it exists, has the declared size and type, is complete, and contains nothing else.
 * A file that can never be accepted is deleted.
 */
export const inspectUpload = async (ctx: Context, key: string, claim: Claim): Promise<Inspected> => {
  try {
    const etag = await assertUploaded(ctx, key, claim)
    const load = (from: number, to: number) => readRange(ctx, key, { from, to: to - 1, etag })
    const info = await inspectFile(await openSource(claim.fileSize, load), claim.mimeType)
    return { etag, info }
  } catch (error) {
    if (isHopeless(error)) await removeObject(ctx, key)
    throw hasChanged(error) || isGone(error) ? uploadChanged() : error
  }
}
