import * as z from 'zod/mini'

// Limits of S3 Vectors (S3 user guide, "Limitations and restrictions", read 2026-11-22).
const maxPerWrite = 500
const maxPerAnswer = 100
const maxKeys = 50
const maxFilterableBytes = 2048

const Data = z.strictObject({ float32: z.array(z.number()) })
const Key = z.string().check(z.minLength(1), z.maxLength(1024))
const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number(), z.boolean()]))])
const Metadata = z.record(z.string(), Value).check(
  z.refine((metadata) => Object.keys(metadata).length <= maxKeys, { error: 'too many metadata keys' }),
  z.refine((metadata) => JSON.stringify(metadata).length <= maxFilterableBytes, {
    error: 'filterable metadata must have at most 2048 bytes',
  }),
)

const index = { vectorBucketName: z.string(), indexName: z.string() }

export const IndexInput = z.object(index)

export const PutInput = z.strictObject({
  ...index,
  vectors: z
    .array(z.strictObject({ key: Key, data: Data, metadata: z._default(Metadata, {}) }))
    .check(z.minLength(1), z.maxLength(maxPerWrite)),
})

export const QueryInput = z.strictObject({
  ...index,
  queryVector: Data,
  topK: z.int().check(z.minimum(1), z.maximum(maxPerAnswer)),
  filter: z.optional(z.record(z.string(), z.unknown())),
  returnDistance: z._default(z.boolean(), false),
  returnMetadata: z._default(z.boolean(), false),
})

export const DeleteInput = z.strictObject({
  ...index,
  keys: z.array(Key).check(z.minLength(1), z.maxLength(maxPerWrite)),
})
