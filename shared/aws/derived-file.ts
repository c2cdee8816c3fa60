import { HeadObjectCommand, NotFound, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { dayMs } from '../time.ts'
import { bucketClient, cacheControl, objectOf, runOn } from './bucket.ts'

/** The bucket expires a derived file after seven days; a platform must have time to fetch it. */
const maxAgeMs = 6 * dayMs

/** The metadata of a file that was made from another one. */
export interface DerivedInfo {
  fileSize: number
  width: number
  height: number
}

/** The metadata by which `findDerived` reads a derived file. S3 returns their names in lowercase. */
const derivedMetadata = (ctx: Context, { width, height }: Pick<DerivedInfo, 'width' | 'height'>) => ({
  width: String(width),
  height: String(height),
  madeatms: String(ctx.clock.now()),
})

/** Stores a derived file so that `findDerived` finds it. */
export const derivedAs = (ctx: Context, size: Pick<DerivedInfo, 'width' | 'height'>) => ({
  CacheControl: cacheControl,
  Metadata: derivedMetadata(ctx, size),
})

/** Why a derived file could not be made, and the size of the image if that is the reason. */
export interface StoredFailure {
  why: string
  width: number
  height: number
}

/** A derived file that lasts long enough to be fetched, or why it could not be made; undefined if there is neither. */
export const findDerived = (
  ctx: Context,
  storageKey: string,
): Promise<DerivedInfo | { failure: StoredFailure } | undefined> =>
  runOn(ctx, storageKey, 'HeadObject', async () => {
    try {
      const answer = await bucketClient(ctx).send(new HeadObjectCommand(objectOf(ctx, storageKey)))
      const { width, height, madeatms, failure } = answer.Metadata ?? {}
      if (ctx.clock.now() - Number(madeatms) > maxAgeMs) return undefined
      const size = { width: Number(width), height: Number(height) }
      return failure === undefined
        ? { fileSize: answer.ContentLength ?? 0, ...size }
        : { failure: { why: failure, ...size } }
    } catch (error) {
      if (error instanceof NotFound) return undefined
      throw error
    }
  })

/** Stores a derived file, with its width and height as metadata, so that no reader has to open it. */
export const putDerived = async (
  ctx: Context,
  storageKey: string,
  file: { bytes: Uint8Array; mimeType: string; width: number; height: number },
): Promise<DerivedInfo> => {
  const { bytes, mimeType, width, height } = file
  const command = new PutObjectCommand({
    ...objectOf(ctx, storageKey),
    Body: bytes,
    ContentType: mimeType,
    ...derivedAs(ctx, file),
  })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
  return { fileSize: bytes.byteLength, width, height }
}

/** Stores why a derived file could not be made, instead of the file. */
export const putFailure = async (
  ctx: Context,
  storageKey: string,
  { why, width = 0, height = 0 }: Pick<StoredFailure, 'why'> & Partial<StoredFailure>,
): Promise<void> => {
  const command = new PutObjectCommand({
    ...objectOf(ctx, storageKey),
    Body: new Uint8Array(),
    Metadata: { failure: why, ...derivedMetadata(ctx, { width, height }) },
  })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}
