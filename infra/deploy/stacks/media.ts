import { Duration, Validations } from 'aws-cdk-lib'
import {
  AllowedMethods,
  Distribution,
  HeadersFrameOption,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { HttpMethods, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { exportsPrefix, incomingPrefix } from '../../../shared/resources.ts'
import { makeBucket } from './bucket.ts'
import { exceptFrom } from './exceptions.ts'

const makeLogs = (scope: Construct): IBucket => {
  const logs = makeBucket(scope, 'media-logs', {
    // CloudFront delivers its logs under an ACL.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: Duration.days(90) }],
  })
  const reason = 'it is itself the place of the access logs'
  Validations.of(logs).acknowledge({ id: 'AwsSolutions-S1', reason })
  exceptFrom(logs, reason, 'CKV_AWS_18', 's3_bucket_logging_enabled_check')
  exceptFrom(logs, 'CloudFront writes its logs under an ACL', 'W3045', 's3_bucket_acl_prohibited_check')
  return logs
}

const makeFiles = (scope: Construct, logs: IBucket): IBucket =>
  makeBucket(scope, 'media', {
    versioned: true,
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: 'bucket/',
    // The signature of the presigned address is the permission, so a page of any origin may use it.
    cors: [
      {
        allowedMethods: [HttpMethods.PUT, HttpMethods.POST],
        allowedOrigins: ['*'],
        allowedHeaders: ['*'],
        exposedHeaders: ['ETag'],
        maxAge: 3600,
      },
    ],
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: Duration.days(1),
        // How long a file that was deleted by mistake can be restored. After that, it is deleted permanently.
        noncurrentVersionExpiration: Duration.days(7),
        expiredObjectDeleteMarker: true,
      },
      // Uploads that were never completed, and files that were sent to an address a second time.
      { prefix: incomingPrefix, expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
      // The service deletes archives after seven days; this rule removes what a failure has left.
      { prefix: exportsPrefix, expiration: Duration.days(9), noncurrentVersionExpiration: Duration.days(1) },
      // Files that were derived for a platform are created again when needed.
      { prefix: 'media/derived/', expiration: Duration.days(7), noncurrentVersionExpiration: Duration.days(1) },
    ],
  })

/** The bucket of uploaded files and the host that serves them (MEDIA_URL). */
export const makeMedia = (scope: Construct): { bucket: IBucket; logs: IBucket; distribution: Distribution } => {
  const logs = makeLogs(scope)
  const bucket = makeFiles(scope, logs)
  // Files come from untrusted people: no browser may guess a type or run a script in them.
  const headers = new ResponseHeadersPolicy(scope, 'media-headers', {
    // Files are public. The console reads their pixels to crop an image.
    corsBehavior: {
      accessControlAllowCredentials: false,
      accessControlAllowHeaders: ['*'],
      accessControlAllowMethods: ['GET', 'HEAD'],
      accessControlAllowOrigins: ['*'],
      originOverride: true,
    },
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      contentSecurityPolicy: { contentSecurityPolicy: "default-src 'none'; sandbox", override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
    },
  })
  const distribution = new Distribution(scope, 'media-host', {
    comment: 'media of the social publishing service',
    defaultBehavior: {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      responseHeadersPolicy: headers,
    },
    logBucket: logs,
    logFilePrefix: 'host/',
  })
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'posts are published for the whole world, so are their files' },
    { id: 'AwsSolutions-CFR2', reason: 'it serves files by unguessable names and takes no input' },
    { id: 'AwsSolutions-CFR4', reason: 'the default certificate of cloudfront.net fixes the protocol by itself' },
  )
  exceptFrom(distribution, 'it serves files of unguessable names and runs no code', 'CKV_AWS_68')
  exceptFrom(
    distribution,
    'it serves files of unguessable names, and no page',
    'cloudfront_default_root_object_configured_check',
  )
  exceptFrom(
    distribution,
    'it serves files under the name of cloudfront.net',
    'cloudfront_custom_ssl_certificate_check',
  )
  exceptFrom(distribution, 'the files are in one bucket', 'cloudfront_origin_failover_enabled_check')
  exceptFrom(
    distribution,
    'the default certificate of cloudfront.net fixes the protocol, and has no setting for it',
    'CKV_AWS_174',
    'cloudfront_security_policy_check',
    'cloudfront_sni_enabled_check',
  )
  // The distribution serves nothing else, in particular no files that have just been uploaded.
  bucket.addToResourcePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      notResources: [bucket.arnForObjects('media/*')],
    }),
  )
  return { bucket, logs, distribution }
}
