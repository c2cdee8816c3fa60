import { join } from 'node:path'
import * as z from 'zod/mini'
import type { JsonAnswer } from '../iam/json.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { startJsonServer } from './json-server.ts'
import { openRows } from './stored-rows.ts'
import { fits } from './vectors/filter.ts'
import { DeleteInput, IndexInput, PutInput, QueryInput } from './vectors/input.ts'
import { Refusal } from './vectors/refusal.ts'

const Stored = z.object({ values: z.array(z.number()), metadata: z.record(z.string(), z.unknown()) })
type Stored = z.infer<typeof Stored>

const Dimension = z.number()

interface Index {
  dimension: number
  vectors: Map<string, Stored>
}

/** S3 Vectors as far as our client goes, and what a test may do to it. */
export interface Vectors extends Engine {
  /** Makes an index, unless it is there. */
  create(bucket: string, index: string, dimension: number): void
  /** The keys in an index. */
  keys(bucket: string, index: string): string[]
  /** Rejects the next requests, like a service that is busy or down. */
  refuseNext(calls: number, type?: 'TooManyRequestsException' | 'ServiceUnavailableException'): void
  /** Finds nothing in the next searches: AWS searches approximately, and a filter makes it miss more. */
  missNext(searches: number): void
}

const length = (values: readonly number[]) => Math.hypot(...values)

const cosine = (one: readonly number[], other: readonly number[]) => {
  let sum = 0
  for (const [n, value] of one.entries()) sum += value * (other[n] ?? 0)
  return sum / (length(one) * length(other))
}

/** S3 Vectors on 127.0.0.1: searches exactly, where AWS searches approximately; signatures are not checked. */
export const startVectors = async (options: EngineOptions): Promise<Vectors> => {
  const rows = openRows(options.folder && join(options.folder, 'vectors.sqlite'))
  const dimensions = rows.map<string, typeof Dimension>('dimensions', Dimension)
  const openIndex = (name: string, dimension: number): Index => ({ dimension, vectors: rows.map(name, Stored) })
  const indexes = new Map([...dimensions].map(([name, dimension]) => [name, openIndex(name, dimension)]))
  const refusals: ('TooManyRequestsException' | 'ServiceUnavailableException')[] = []
  let misses = 0
  const nameOf = (bucket: string, index: string) => `${bucket}/${index}`

  const find = (body: unknown): Index => {
    const { vectorBucketName, indexName } = z.parse(IndexInput, body)
    const index = indexes.get(nameOf(vectorBucketName, indexName))
    if (index === undefined) throw new Refusal(404, 'NotFoundException', 'The specified index could not be found')
    return index
  }
  const assertDimension = ({ dimension }: Index, values: readonly number[]) => {
    if (values.length !== dimension) {
      throw new Refusal(400, 'ValidationException', `Invalid vector data: expected dimension ${dimension}`)
    }
    if (values.every((value) => value === 0)) {
      throw new Refusal(400, 'ValidationException', 'Invalid vector data: zero vectors are not allowed with cosine')
    }
  }
  const operations: Readonly<Record<string, (body: unknown) => object>> = {
    '/PutVectors'(body) {
      const index = find(body)
      const { vectors } = z.parse(PutInput, body)
      for (const { data } of vectors) assertDimension(index, data.float32)
      for (const { key, data, metadata } of vectors) index.vectors.set(key, { values: data.float32, metadata })
      rows.save()
      return {}
    },
    '/QueryVectors'(body) {
      const index = find(body)
      const { queryVector, topK, filter, returnDistance, returnMetadata } = z.parse(QueryInput, body)
      assertDimension(index, queryVector.float32)
      if (misses > 0) {
        misses -= 1
        return { vectors: [], distanceMetric: 'cosine' }
      }
      const near = [...index.vectors]
        .filter(([, { metadata }]) => filter === undefined || fits(filter, metadata))
        .map(([key, { values, metadata }]) => ({ key, distance: 1 - cosine(queryVector.float32, values), metadata }))
        .sort((one, other) => one.distance - other.distance)
        .slice(0, topK)
      const vectors = near.map(({ key, distance, metadata }) => ({
        key,
        ...(returnDistance ? { distance } : {}),
        ...(returnMetadata ? { metadata } : {}),
      }))
      return { vectors, distanceMetric: 'cosine' }
    },
    '/DeleteVectors'(body) {
      const index = find(body)
      for (const key of z.parse(DeleteInput, body).keys) index.vectors.delete(key)
      rows.save()
      return {}
    },
  }
  const answer = async (path: string, body: unknown): Promise<JsonAnswer> => {
    try {
      const type = refusals.shift()
      if (type !== undefined) throw new Refusal(type === 'TooManyRequestsException' ? 429 : 503, type, 'Refused')
      const operation = operations[path]
      if (operation === undefined) throw new Refusal(404, 'UnknownOperationException', `${path} is not known here`)
      return { status: 200, body: operation(body) }
    } catch (error) {
      if (error instanceof Refusal) return error.answer()
      if (error instanceof z.core.$ZodError) {
        return new Refusal(400, 'ValidationException', z.prettifyError(error)).answer()
      }
      throw error
    }
  }
  const server = await startJsonServer(
    options.port ?? 0,
    'application/json',
    ({ path, body }) => answer(path, body),
    options.guard,
  )
  return {
    url: server.url,
    create(bucket, index, dimension) {
      const name = nameOf(bucket, index)
      if (indexes.has(name)) return
      indexes.set(name, openIndex(name, dimension))
      dimensions.set(name, dimension)
      rows.save()
    },
    keys: (bucket, index) => [...(indexes.get(nameOf(bucket, index))?.vectors.keys() ?? [])],
    refuseNext(calls, type = 'TooManyRequestsException') {
      refusals.push(...Array.from({ length: calls }, () => type))
    },
    missNext(searches) {
      misses += searches
    },
    async close() {
      await server.close()
      rows.close()
    },
  }
}
