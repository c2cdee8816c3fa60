import { isUtf8 } from 'node:buffer'
import { hasChanged, headObject, isGone, readRange, removeObject } from '../aws/bucket.ts'
import type { Piece } from '../aws/multipart.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { counted } from '../text/counting.ts'
import { cuesOf } from './captions.ts'
import { endsAsZip, tailBytes } from './inspect/archive.ts'
import { readImage } from './inspect/image.ts'
import type { FileInfo } from './inspect/info.ts'
import { invalidFile, truncated } from './inspect/invalid-file.ts'
import { isZip, officeTypeOf } from './inspect/office.ts'
import { acceptedTypes, describeType, sniff } from './inspect/sniff.ts'
import { openSource, type Source } from './inspect/source.ts'
import { readVideo } from './inspect/video.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { kindOf, type MediaType, maxBytesOf } from './types.ts'

/** Where PDF readers search for the signature (Adobe PDF Reference 1.7, appendix H, implementation note 13). */
const pdfBytes = 1024

const pdf: MediaType = 'application/pdf'

/** Rejects a file that is also a valid document or archive of another format, wherever that is hidden. */
const assertNotPolyglot = ({ start }: Source, tail: Buffer, type: MediaType): void => {
  if (type !== pdf && start.subarray(0, pdfBytes).includes('%PDF-'))
    throw invalidFile('media_polyglot', 'is also a PDF')
  if (endsAsZip(tail)) throw invalidFile('media_polyglot', 'is also a ZIP archive')
}

/** What a file was found to be. */
export interface Inspection {
  /** Its measurements. */
  info: FileInfo
  /** Its parts without metadata about location, device, and person: all of them, if it has none. */
  pieces: readonly Piece[]
}

/** The ETag of exactly the inspected bytes, and what they are. */
interface Inspected extends Inspection {
  etag: string
  /** In base64; only if the upload was bound to it. */
  checksum?: string | undefined
  mimeType: MediaType
}

/** Whether a file is clean: none of its bytes are left out or replaced. */
export const isWhole = ([first, ...others]: readonly Piece[], size: number): boolean =>
  others.length === 0 && first !== undefined && 'from' in first && first.from === 0 && first.to === size

type Claim = Pick<CompleteUploadRequest, 'fileSize'>

const assertUploaded = async (ctx: Context, key: string, { fileSize }: Claim) => {
  const object = await headObject(ctx, key)
  if (object === undefined) {
    throw new Refusal('invalid', 'No file was uploaded for this storageKey. Upload it to the uploadUrl first.', {
      code: 'file_not_uploaded',
      field: 'storageKey',
    })
  }
  if (object.fileSize === 0) throw invalidFile('media_empty', 'is empty')
  if (object.fileSize === fileSize) return object
  const text = `"fileSize" is ${fileSize}, but the uploaded file has ${counted(object.fileSize, 'byte')}. Send its actual size.`
  throw new Refusal('invalid', text, { code: 'media_size', field: 'fileSize' })
}

/**
 * The type of a file by its bytes, whatever was declared. Throws for a type that is not accepted, for more bytes than the
 * type allows, and for a damaged Office file.
 */
export const acceptedTypeOf = async (source: Source): Promise<MediaType> => {
  const { size, start } = source
  const type = sniff(start) ?? (await officeTypeOf(source))
  if (type === undefined) {
    const text = `The uploaded file is ${describeType(start)}. It must be ${acceptedTypes}.`
    throw new Refusal('invalid', text, { code: 'media_type', field: 'storageKey' })
  }
  const maxBytes = maxBytesOf(type)
  if (size <= maxBytes) return type
  const text = `The uploaded file has ${counted(size, 'byte')}. Send at most ${maxBytes} for ${type}.`
  throw new Refusal('invalid', text, { code: 'media_size', field: 'storageKey' })
}

/**
 * A PDF ends with its mark, which readers search for in as many bytes (Adobe PDF Reference 1.7, appendix H,
 * implementation note 18).
 */
const assertWholePdf = (tail: Buffer): void => {
  if (!tail.subarray(-pdfBytes).includes('%%EOF')) throw truncated('PDF')
}

/** Captions are text in UTF-8 with a cue at least. */
const assertCaptions = (whole: Buffer): void => {
  if (!isUtf8(whole)) throw invalidFile('media_damaged', 'is not text in UTF-8')
  if (cuesOf(whole.toString()).length === 0)
    throw invalidFile('media_damaged', 'has no captions with a start and an end')
}

const wholeOf = ({ size }: Source): readonly Piece[] => [{ from: 0, to: size }]

const inspectImage = async (source: Source, mimeType: MediaType): Promise<Inspection> => {
  const whole = await source.read(0, source.size)
  assertNotPolyglot(source, whole.subarray(-tailBytes), mimeType)
  const { info, cleaned } = readImage(mimeType, whole)
  const clean = Buffer.concat(cleaned)
  return { info, pieces: clean.equals(whole) ? wholeOf(source) : [clean] }
}

/**
 * Inspects a whole file of the type of its bytes (`acceptedTypeOf`); skips frames and sound of videos. For a document, the
 * format is checked and not its contents: pages are not counted, and nothing is removed.
 */
export const inspectFile = async (source: Source, mimeType: MediaType): Promise<Inspection> => {
  const { size } = source
  const kind = kindOf(mimeType)
  if (kind === 'image') return inspectImage(source, mimeType)
  if (kind === 'captions') {
    assertCaptions(await source.read(0, size))
    return { info: {}, pieces: wholeOf(source) }
  }
  const inspection = kind === 'video' ? await readVideo(source) : { info: {}, pieces: wholeOf(source) }
  // The end of a ZIP was read for its type (`officeTypeOf`).
  const tail = isZip(source.start) ? Buffer.alloc(0) : await source.read(Math.max(0, size - tailBytes), size)
  if (mimeType === pdf) assertWholePdf(tail)
  assertNotPolyglot(source, tail, mimeType)
  return inspection
}

/** The file changed: a second upload to the same URL, or a concurrent completion. */
export const uploadChanged = (): Refusal =>
  new Refusal('conflict', 'The file was replaced or completed during the inspection. Complete the upload again.', {
    code: 'upload_changed',
    field: 'storageKey',
  })

/** Whether the file can never be accepted. A wrong `fileSize` can be the caller's mistake. */
const isHopeless = (error: unknown) =>
  error instanceof Refusal &&
  error.reason === 'invalid' &&
  error.details.field !== 'fileSize' &&
  error.details.code !== 'file_not_uploaded'

/**
 * Inspects the uploaded file itself: it exists, has the declared size and an accepted type, is complete, and contains
 * nothing else. A file that can never be accepted is deleted.
 */
export const inspectUpload = async (ctx: Context, key: string, claim: Claim): Promise<Inspected> => {
  try {
    const { etag, checksum } = await assertUploaded(ctx, key, claim)
    const load = (from: number, to: number) => readRange(ctx, key, { from, to: to - 1, etag })
    const source = await openSource(claim.fileSize, load)
    const mimeType = await acceptedTypeOf(source)
    return { etag, checksum, mimeType, ...(await inspectFile(source, mimeType)) }
  } catch (error) {
    if (isHopeless(error)) await removeObject(ctx, key)
    throw hasChanged(error) || isGone(error) ? uploadChanged() : error
  }
}
