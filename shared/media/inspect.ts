import { hasChanged, headObject, isGone, readRange, removeObject } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { demandNoDisguise, tailBytes } from './inspect/disguise.ts'
import type { MediaFacts } from './inspect/facts.ts'
import { readFilm } from './inspect/film.ts'
import { flaw } from './inspect/flaw.ts'
import { readImage } from './inspect/image.ts'
import { nameOther } from './inspect/other-type.ts'
import { sniff } from './inspect/sniff.ts'
import { openSource, type Source } from './inspect/source.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { isImage, type MediaType } from './types.ts'

/** The file that was looked at, by the tag that a bucket gives to exactly these bytes, and what it told. */
interface Inspected {
  etag: string
  facts: MediaFacts
}

type Claim = Pick<CompleteUploadRequest, 'mimeType' | 'fileSize'>

const demandUploaded = async (ctx: Context, key: string, { fileSize }: Claim): Promise<string> => {
  const object = await headObject(ctx, key)
  if (object === undefined) {
    throw new Refusal('invalid', 'No file was uploaded for this storageKey. Upload it to the uploadUrl first.', {
      code: 'file_not_uploaded',
      field: 'storageKey',
    })
  }
  if (object.fileSize === 0) throw flaw('media_empty', 'is empty')
  if (object.fileSize === fileSize) return object.etag
  const text = `"fileSize" is ${fileSize}, but the uploaded file has ${object.fileSize} bytes. Send its actual size.`
  throw new Refusal('invalid', text, { code: 'media_size', field: 'fileSize' })
}

const demandType = (start: Buffer, mimeType: MediaType): void => {
  const type = sniff(start)
  if (type === mimeType) return
  const text = `"mimeType" is ${mimeType}, but the file's contents are ${type ?? nameOther(start)}. Upload it again.`
  throw new Refusal('invalid', text, { code: 'media_type', field: 'mimeType' })
}

/** Looks at a file of a told type, from its first byte to its last; pictures and sound of films are stepped over. */
export const inspectFile = async (source: Source, mimeType: MediaType): Promise<MediaFacts> => {
  const { size, start } = source
  demandType(start, mimeType)
  if (isImage(mimeType)) {
    const whole = await source.read(0, size)
    demandNoDisguise(start, whole.subarray(-tailBytes))
    return readImage(mimeType, whole)
  }
  const facts = await readFilm(source)
  demandNoDisguise(start, await source.read(Math.max(0, size - tailBytes), size))
  return facts
}

/** Someone else has the file: a second upload by the same address, or a completion at the same moment. */
export const uploadChanged = (): Refusal =>
  new Refusal('conflict', 'The file was replaced or completed during the inspection. Complete the upload again.', {
    code: 'upload_changed',
    field: 'storageKey',
  })

/** A file that can never be taken need not lie there; another size may be the caller's slip. */
const isHopeless = (error: unknown) =>
  error instanceof Refusal &&
  error.reason === 'invalid' &&
  !['media_size', 'file_not_uploaded'].includes(error.details.code)

/**
 * Looks at the uploaded file itself, never at what was said of it: there, of the size told, of the type told, whole, and
 * nothing else beside. A file that is not what was announced is removed.
 */
export const inspectUpload = async (ctx: Context, key: string, claim: Claim): Promise<Inspected> => {
  try {
    const etag = await demandUploaded(ctx, key, claim)
    const load = (from: number, to: number) => readRange(ctx, key, from, to - 1, etag)
    const facts = await inspectFile(await openSource(claim.fileSize, load), claim.mimeType)
    return { etag, facts }
  } catch (error) {
    if (isHopeless(error)) await removeObject(ctx, key)
    throw hasChanged(error) || isGone(error) ? uploadChanged() : error
  }
}
