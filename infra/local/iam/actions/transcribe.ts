import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import { type GuardedService, mapped, operationOf, refuseAsJson } from '../guard.ts'

const actions: Readonly<Record<string, string>> = {
  StartTranscriptionJob: 'StartTranscriptionJob',
  GetTranscriptionJob: 'GetTranscriptionJob',
  DeleteTranscriptionJob: 'DeleteTranscriptionJob',
}

const Input = z.object({
  TranscriptionJobName: z.string(),
  Media: z.optional(z.object({ MediaFileUri: z.string() })),
  OutputBucketName: z.optional(z.string()),
  OutputKey: z.optional(z.string()),
})

const arnOfFile = (address: string) => `arn:aws:s3:::${address.replace(/^s3:\/\//, '')}`

/**
 * What Transcribe asks IAM for. Starting a job has no resource, and reads and writes the files with the rights
 * of its caller (Amazon Transcribe guide, "Identity-based policy examples").
 */
export const transcribeAccess: GuardedService = {
  accessesOf(request) {
    const action = `transcribe:${mapped(actions, 'Transcribe', operationOf(request))}`
    const { TranscriptionJobName: name, Media, OutputBucketName, OutputKey } = z.parse(Input, request.body)
    if (action !== 'transcribe:StartTranscriptionJob') {
      return [{ action, resource: `arn:aws:transcribe:${region}:${accountId}:transcription-job/${name}` }]
    }
    const context = OutputBucketName === undefined ? {} : { 'transcribe:outputbucketname': [OutputBucketName] }
    return [
      { action, resource: '*', context },
      { action: 's3:GetObject', resource: arnOfFile(Media?.MediaFileUri ?? '') },
      { action: 's3:PutObject', resource: arnOfFile(`s3://${OutputBucketName}/${OutputKey}`) },
    ]
  },
  refuse: refuseAsJson(400),
}
