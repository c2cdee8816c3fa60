import { RemovalPolicy } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, type IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { exceptFrom } from './exceptions.ts'

/** A private bucket that outlives its stack. */
export const makeBucket = (scope: Construct, name: string, props: BucketProps): IBucket => {
  const bucket = new Bucket(scope, name, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...props,
  })
  exceptFrom(bucket, 'encrypted with the keys of S3', 's3_bucket_default_encryption_kms_check')
  exceptFrom(bucket, 'whatever is not sent over TLS is denied', 's3:* is no action')
  if (!props.versioned) {
    exceptFrom(
      bucket,
      'what it holds is made again, or is worth nothing after its time',
      'CKV_AWS_21',
      's3_bucket_versioning_enabled_check',
    )
  }
  exceptFrom(bucket, 'what a user deletes must be gone in the end', 's3_bucket_object_lock_enabled_check')
  exceptFrom(
    bucket,
    'who uploads a file says so; nothing waits for events of S3',
    's3_event_notifications_enabled_check',
  )
  // The CDK's own types disagree about an absent policy under exactOptionalPropertyTypes.
  return bucket as IBucket
}
