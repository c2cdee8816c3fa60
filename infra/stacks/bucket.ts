import { RemovalPolicy } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, type IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

/** A private bucket that outlives its stack. */
export const makeBucket = (scope: Construct, name: string, props: BucketProps): IBucket =>
  // The CDK's own types disagree about an absent policy under exactOptionalPropertyTypes.
  new Bucket(scope, name, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...props,
  }) as IBucket
