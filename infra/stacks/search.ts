import { createHash } from 'node:crypto'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3'
import { CfnIndex, CfnVectorBucket } from 'aws-cdk-lib/aws-s3vectors'
import type { Construct } from 'constructs'
import type { Configuration } from './configuration.ts'
import { physicalName } from './names.ts'

const makeIndexBucket = (scope: Construct, logs: IBucket): IBucket =>
  // The CDK's own types disagree about an absent policy under exactOptionalPropertyTypes.
  new Bucket(scope, 'memory-indexes', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: 'memory-indexes/',
    lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN,
  }) as IBucket

/** Where the meanings of memories lie, as places in a space. */
interface Vectors {
  bucketName: string
  indexName: string
  indexArn: string
}

// An index cannot change, so another model or number of dimensions makes another one; it fills itself from the table.
const nameOfIndex = ({ embeddingModel, embeddingDimensions }: Configuration) =>
  `memories-${createHash('sha256').update(embeddingModel).digest('hex').slice(0, 8)}-${embeddingDimensions}`

const makeVectors = (scope: Construct, configuration: Configuration): Vectors => {
  const [bucketName, indexName] = [physicalName('memory-vectors'), nameOfIndex(configuration)]
  const bucket = new CfnVectorBucket(scope, 'memory-vectors', { vectorBucketName: bucketName })
  const index = new CfnIndex(scope, indexName, {
    vectorBucketArn: bucket.attrVectorBucketArn,
    indexName,
    dataType: 'float32',
    dimension: configuration.embeddingDimensions,
    distanceMetric: 'cosine',
  })
  for (const resource of [bucket, index]) resource.applyRemovalPolicy(RemovalPolicy.RETAIN)
  return { bucketName, indexName, indexArn: index.attrIndexArn }
}

/** What the search of memories keeps: index files in a bucket that nobody serves and, where configured, vectors. */
export const makeSearch = (scope: Construct, logs: IBucket, configuration: Configuration) => ({
  indexBucket: makeIndexBucket(scope, logs),
  vectors: configuration.memorySearch === 'lexical' ? undefined : makeVectors(scope, configuration),
})
