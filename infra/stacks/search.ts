import { createHash } from 'node:crypto'
import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib'
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

const makeIndex = (stack: Stack, bucket: CfnVectorBucket, indexName: string, dimension: number): void => {
  const index = new CfnIndex(stack, indexName, {
    vectorBucketArn: bucket.attrVectorBucketArn,
    indexName,
    dataType: 'float32',
    dimension,
    distanceMetric: 'cosine',
  })
  index.applyRemovalPolicy(RemovalPolicy.DESTROY)
}

/**
 * The vectors of memories. The bucket is always there and costs nothing while it is empty: one that came and went with
 * the setting could not come back under its name. The index goes with the setting, and fills itself from the table when
 * it comes back. It has a stack of its own, because it must be there before the functions that search it, and must not
 * go before they are replaced (service.ts).
 */
export const makeSearch = (scope: Construct, configuration: Configuration): Stack => {
  const stack = makeStack(scope, configuration, 'search', {
    description: 'The vectors of memories of the Social Publishing Service.',
    terminationProtection: true,
  })
  const bucket = new CfnVectorBucket(stack, 'memory-vectors', {
    vectorBucketName: configuration.names.physical('memory-vectors'),
  })
  bucket.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
  const vectors = vectorNamesOf(configuration)
  if (vectors !== undefined) makeIndex(stack, bucket, vectors.indexName, configuration.embeddingDimensions)
  return stack
}
