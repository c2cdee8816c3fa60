import {
  DeleteVectorsCommand,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
} from '@aws-sdk/client-s3vectors'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, S3VectorsClient, { maxAttempts: 4 }))

/** A place among the memories; the text itself never goes there. */
export interface Vector {
  id: string
  workspaceId: string
  collectionId: string
  values: readonly number[]
}

/** Whose vectors are meant; of all its collections where none is named. */
export interface VectorScope {
  workspaceId: string
  collectionIds?: readonly string[]
}

/** S3 Vectors takes and removes at most this many by one call, and answers with at most a hundred (S3 guide, read 2026-11-22). */
const maxPerWrite = 500
const maxPerAnswer = 100

const place = (ctx: Context) => ({ vectorBucketName: ctx.env('VECTOR_BUCKET'), indexName: ctx.env('VECTOR_INDEX') })

const run = <T>(ctx: Context, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3vectors', action, resource: 'vector-index' }, call)

const filterOf = ({ workspaceId, collectionIds }: VectorScope) => {
  const own = { workspaceId: { $eq: workspaceId } }
  return collectionIds === undefined ? own : { $and: [own, { collectionId: { $in: [...collectionIds] } }] }
}

/** Keeps vectors; one that is there already is written over. */
export const putVectors = async (ctx: Context, vectors: readonly Vector[]): Promise<void> => {
  const command = new PutVectorsCommand({
    ...place(ctx),
    vectors: vectors.map(({ id, workspaceId, collectionId, values }) => ({
      key: id,
      data: { float32: [...values] },
      metadata: { workspaceId, collectionId },
    })),
  })
  await run(ctx, 'PutVectors', () => client(ctx).send(command))
}

/** The nearest vectors to a point, the nearest first, with the cosine of the angle between them. */
export const queryVectors = async (
  ctx: Context,
  scope: VectorScope,
  values: readonly number[],
  most: number = maxPerAnswer,
  signal?: AbortSignal,
): Promise<{ id: string; collectionId: string; cosine: number }[]> => {
  const command = new QueryVectorsCommand({
    ...place(ctx),
    queryVector: { float32: [...values] },
    topK: Math.min(most, maxPerAnswer),
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

/** Removes vectors by id; those that are not there are no error. */
export const deleteVectors = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  for (let from = 0; from < ids.length; from += maxPerWrite) {
    const command = new DeleteVectorsCommand({ ...place(ctx), keys: ids.slice(from, from + maxPerWrite) })
    await run(ctx, 'DeleteVectors', () => client(ctx).send(command))
  }
}

/** Removes up to a hundred vectors of a scope, whatever they mean; answers how many these were, 0 where it finds none. */
export const sweepVectors = async (ctx: Context, scope: VectorScope): Promise<number> => {
  const anyPoint = Array.from({ length: Number(ctx.env('EMBEDDING_DIMENSIONS')) }, (_, n) => (n === 0 ? 1 : 0))
  const found = await queryVectors(ctx, scope, anyPoint)
  await deleteVectors(
    ctx,
    found.map(({ id }) => id),
  )
  return found.length
}
