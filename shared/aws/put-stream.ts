import type { Context } from '../context.ts'
import { abortUpload, completeUpload, createUpload, type Part, type Upload, uploadPart } from './multipart.ts'
import { putFile } from './put-file.ts'

/** At least 5 MiB, as S3 requires; 1 GiB has 128 parts. */
const partBytes = 8 * 1024 * 1024

/** Chunks joined to parts of at least this size; the last can be smaller. */
const inParts = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  yield Buffer.concat(waiting)
}

/**
 * Stores a file of unknown length in parts and returns its length; replaces a file of the same name. After a failure the
 * upload is aborted; after a crash, the bucket deletes the parts after a day.
 */
export const putStream = async (
  ctx: Context,
  storageKey: string,
  body: AsyncIterable<Uint8Array>,
  mimeType: string,
): Promise<number> => {
  let upload: Upload | undefined
  const parts: Part[] = []
  let total = 0
  try {
    for await (const part of inParts(body)) {
      total += part.length
      if (upload === undefined && part.length < partBytes) {
        await putFile(ctx, storageKey, part, mimeType)
        return total
      }
      upload ??= { storageKey, uploadId: await createUpload(ctx, storageKey, mimeType) }
      if (part.length > 0) parts.push(await uploadPart(ctx, upload, parts.length + 1, part))
    }
    if (upload !== undefined) await completeUpload(ctx, upload, parts)
    return total
  } catch (error) {
    if (upload !== undefined) await abortUpload(ctx, upload).catch(() => undefined)
    throw error
  }
}
