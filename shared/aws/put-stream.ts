import type { Context } from '../context.ts'
import { completeUpload, createUpload, type Part, type Upload, uploadPart } from './multipart.ts'
import { putFile } from './put-file.ts'

/** At least 5 MiB, as S3 requires; 1 GiB has 128 parts. */
const partBytes = 8 * 1024 * 1024

/**
 * Stores a file of unknown length in parts and returns its length; replaces one of the same name. The bucket deletes the
 * parts of a file that was not completed after a day.
 */
export const putStream = async (
  ctx: Context,
  storageKey: string,
  body: AsyncIterable<Uint8Array>,
  mimeType: string,
): Promise<number> => {
  let upload: Upload | undefined
  const parts: Part[] = []
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let total = 0
  for await (const chunk of body) {
    waiting.push(chunk)
    waitingBytes += chunk.length
    total += chunk.length
    if (waitingBytes < partBytes) continue
    upload ??= { storageKey, uploadId: await createUpload(ctx, storageKey, mimeType) }
    parts.push(await uploadPart(ctx, upload, parts.length + 1, Buffer.concat(waiting)))
    waiting = []
    waitingBytes = 0
  }
  if (upload === undefined) {
    await putFile(ctx, storageKey, Buffer.concat(waiting), mimeType)
    return total
  }
  if (waitingBytes > 0) parts.push(await uploadPart(ctx, upload, parts.length + 1, Buffer.concat(waiting)))
  await completeUpload(ctx, upload, parts)
  return total
}
