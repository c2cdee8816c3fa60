import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Buckets } from '../engines/buckets.ts'
import type { SpeechFiles } from '../engines/transcriptions.ts'
import type { Credentials } from '../iam/authority.ts'
import { region } from '../template/account.ts'

/** The files as Transcribe reads and writes them: IAM has already checked the rights of its caller. */
export const speechFilesOf = (buckets: Buckets, credentials: Credentials): SpeechFiles => ({
  read: (bucket, key) => buckets.read(bucket, key),
  async write(Bucket, Key, Body) {
    const s3 = new S3Client({ endpoint: buckets.url, region, credentials, forcePathStyle: true })
    try {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }))
    } finally {
      s3.destroy()
    }
  },
})
