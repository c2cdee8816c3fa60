import { headObject, readRange, removeObject } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { imageSize } from './inspect/image-size.ts'
import type { Size } from './inspect/size.ts'
import { sniff } from './inspect/sniff.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { isImage } from './types.ts'

/** Enough for nearly every header; a JPEG may carry megabytes of profiles and previews before its frame. */
const firstBytes = 65_536
const moreBytes = 8_388_608

type Claim = Pick<CompleteUploadRequest, 'storageKey' | 'mimeType' | 'fileSize'>

const demandUploaded = async (ctx: Context, { storageKey, fileSize }: Claim): Promise<void> => {
  const object = await headObject(ctx, storageKey)
  if (object === undefined) {
    throw new Refusal('invalid', 'No file has arrived for this storageKey: upload it to the uploadUrl first.', {
      code: 'not_uploaded',
      field: 'storageKey',
    })
  }
  if (object.fileSize === fileSize) return
  const text = `"fileSize" says ${fileSize} bytes, but the uploaded file has ${object.fileSize}: send its true size.`
  throw new Refusal('invalid', text, { code: 'media_size', field: 'fileSize' })
}

const readStart = async (ctx: Context, storageKey: string, bytes: number): Promise<Buffer> =>
  Buffer.from(await readRange(ctx, storageKey, 0, bytes - 1))

const discard = async (ctx: Context, storageKey: string, text: string): Promise<never> => {
  await removeObject(ctx, storageKey)
  throw new Refusal('invalid', text, { code: 'media_type', field: 'mimeType' })
}

/**
 * Looks at the uploaded file itself, never at what was said of it: there, of the size told, of the type told by its
 * first bytes. Answers the size of an image in pixels. A file that is not what was announced is removed.
 */
export const inspectUpload = async (ctx: Context, claim: Claim): Promise<Size | undefined> => {
  const { storageKey, mimeType, fileSize } = claim
  await demandUploaded(ctx, claim)
  const start = await readStart(ctx, storageKey, firstBytes)
  const type = sniff(start)
  if (type !== mimeType) {
    const what = type ?? 'none of the types we take'
    return discard(
      ctx,
      storageKey,
      `"mimeType" says ${mimeType}, but by its bytes the file is ${what}: upload it anew.`,
    )
  }
  if (!isImage(mimeType)) return undefined
  const size = imageSize(mimeType, start)
  if (size) return size
  const larger = fileSize > firstBytes ? imageSize(mimeType, await readStart(ctx, storageKey, moreBytes)) : undefined
  return larger ?? discard(ctx, storageKey, `The ${mimeType} file is damaged or cut off: upload a whole one.`)
}
