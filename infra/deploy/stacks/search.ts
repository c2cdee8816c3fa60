import { createHash } from 'node:crypto'
import { CfnWaitConditionHandle, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { CfnIndex, CfnVectorBucket } from 'aws-cdk-lib/aws-s3vectors'
import type { Construct } from 'constructs'
import { makeBucket } from './bucket.ts'
import type { Configuration } from './configuration.ts'
import { makeStack } from './stack.ts'

/** The index files of the search by words, in a private bucket. */
export const makeIndexBucket = (scope: Construct, logs: IBucket): IBucket =>
  makeBucket(scope, 'memory-indexes', {
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: 'memory-indexes/',
    lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
  })

/** The names of the vector index that a configuration searches. */
export interface VectorNames {
  bucketName: string
  indexName: string
}

// An index cannot change, so another model or number of dimensions makes another one; it fills itself from the table.
const nameOfIndex = ({ embeddingModel, embeddingDimensions }: Configuration) =>
  `memories-${createHash('sha256').update(embeddingModel).digest('hex').slice(0, 8)}-${embeddingDimensions}`

/** Undefined where memories are searched by their words alone. */
export const vectorNamesOf = (configuration: Configuration): VectorNames | undefined =>
  configuration.memorySearch === 'lexical'
    ? undefined
    : { bucketName: configuration.names.physical('memory-vectors'), indexName: nameOfIndex(configuration) }

/** The index, and the bucket that it is in. Both hold nothing that is not in the table, so both go with the setting. */
const makeIndex = (stack: Stack, { bucketName, indexName }: VectorNames, dimension: number): void => {
  const bucket = new CfnVectorBucket(stack, 'memory-vectors', { vectorBucketName: bucketName })
  const index = new CfnIndex(stack, indexName, {
    vectorBucketArn: bucket.attrVectorBucketArn,
    indexName,
    dataType: 'float32',
    dimension,
    distanceMetric: 'cosine',
  })
  for (const resource of [bucket, index]) resource.applyRemovalPolicy(RemovalPolicy.DESTROY)
}

/**
 * The vectors of memories, only where they are searched: not every region has Amazon S3 Vectors. The index fills itself
 * from the table when it comes back. It has a stack of its own, because it must be there before the functions that search
 * it, and must not go before they are replaced (service.ts).
 */
export const makeSearch = (scope: Construct, configuration: Configuration): Stack => {
  const stack = makeStack(scope, configuration, 'search', {
    description: 'The vectors of memories of the Social Publishing Service.',
    terminationProtection: true,
  })
  // A stack has at least one resource, and this one must stay to delete what it has made before.
  new CfnWaitConditionHandle(stack, 'nothing')
  const vectors = vectorNamesOf(configuration)
  if (vectors !== undefined) makeIndex(stack, vectors, configuration.embeddingDimensions)
  return stack
}
