import { createHmac } from 'node:crypto'
import { HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

export interface FormPolicy {
  conditions: unknown[]
  expiresAt: Date
}

/** Where a browser posts its form: the address of the bucket, as the client itself would call it. */
export async function formAddress(client: S3Client, bucket: string): Promise<string> {
  const url = new URL(await getSignedUrl(client, new HeadBucketCommand({ Bucket: bucket })))
  return url.origin + url.pathname
}

/** The fields of a POST policy, signed by hand as the documents of S3 describe it. */
export async function signForm(client: S3Client, bucket: string, policy: FormPolicy): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials()
  const region = await client.config.region()
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const date = timestamp.slice(0, 8)
  const fields = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${accessKeyId}/${date}/${region}/s3/aws4_request`,
    'x-amz-date': timestamp,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  }
  const isBucketNamed = JSON.stringify(policy.conditions).includes('"bucket"')
  const conditions = [fields, ...(isBucketNamed ? [] : [{ bucket }]), ...policy.conditions]
  const text = Buffer.from(JSON.stringify({ expiration: policy.expiresAt.toISOString(), conditions })).toString(
    'base64',
  )
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  return { ...fields, policy: text, 'x-amz-signature': createHmac('sha256', key).update(text).digest('hex') }
}
