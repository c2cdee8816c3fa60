import {
  DeleteVectorsCommand,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
} from '@aws-sdk/client-s3vectors'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, S3VectorsClient, { maxAttempts: 4 }))

/** The vector of a memory passage; the text itself is not stored with it. */
export interface Vector {
  id: string
  workspaceId: string
  collectionId: string
  values: readonly number[]
}

/** The collection whose vectors are meant; all collections of the workspace if none is named. */
export interface VectorScope {
  workspaceId: string
  collectionIds?: readonly string[]
}

/**
 * S3 Vectors writes and deletes at most this many per call, and returns at most a hundred (S3 guide, read 2026-11-22).
 */
const maxPerWrite = 500
const maxPerAnswer = 100

const indexOf = (ctx: Context) => ({ vectorBucketName: ctx.env('VECTOR_BUCKET'), indexName: ctx.env('VECTOR_INDEX') })

const run = <T>(ctx: Context, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3vectors', action, resource: 'vector-index' }, call)

const filterOf = ({ workspaceId, collectionIds }: VectorScope) => {
  const own = { workspaceId: { $eq: workspaceId } }
  return collectionIds === undefined ? own : { $and: [own, { collectionId: { $in: [...collectionIds] } }] }
}

/** Stores vectors; existing ones are overwritten. */
export const putVectors = async (ctx: Context, vectors: readonly Vector[]): Promise<void> => {
  const command = new PutVectorsCommand({
    ...indexOf(ctx),
    vectors: vectors.map(({ id, workspaceId, collectionId, values }) => ({
      key: id,
      data: { float32: [...values] },
      metadata: { workspaceId, collectionId },
    })),
  })
  await run(ctx, 'PutVectors', () => client(ctx).send(command))
}

/** The nearest vectors, nearest first, with the cosine of the angle to the query. */
export const queryVectors = async (
  ctx: Context,
  scope: VectorScope,
  values: readonly number[],
  { limit = maxPerAnswer, signal }: { limit?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<{ id: string; collectionId: string; cosine: number }[]> => {
  const command = new QueryVectorsCommand({
    ...indexOf(ctx),
    queryVector: { float32: [...values] },
    topK: Math.min(limit, maxPerAnswer),
    filter: filterOf(scope),
    returnDistance: true,
    returnMetadata: true,
  })
  const { vectors = [] } = await run(ctx, 'QueryVectors', () =>
    client(ctx).send(command, signal ? { abortSignal: signal } : {}),
  )
  return vectors.map(({ key = '', distance = 1, metadata }) => {
    const isNamed = typeof metadata === 'object' && metadata !== null && 'collectionId' in metadata
    return { id: key, collectionId: isNamed ? String(metadata['collectionId']) : '', cosine: 1 - distance }
  })
}

/** Removes vectors by id; missing ones are not an error. */
export const deleteVectors = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  for (let from = 0; from < ids.length; from += maxPerWrite) {
    const command = new DeleteVectorsCommand({ ...indexOf(ctx), keys: ids.slice(from, from + maxPerWrite) })
    await run(ctx, 'DeleteVectors', () => client(ctx).send(command))
  }
}

/** Removes up to a hundred vectors of a scope; returns how many, and 0 if there are none. */
export const sweepVectors = async (ctx: Context, scope: VectorScope): Promise<number> => {
  const anyPoint = Array.from({ length: Number(ctx.env('EMBEDDING_DIMENSIONS')) }, (_, n) => (n === 0 ? 1 : 0))
  const vectors = await queryVectors(ctx, scope, anyPoint)
  await deleteVectors(
    ctx,
    vectors.map(({ id }) => id),
  )
  return vectors.length
}
