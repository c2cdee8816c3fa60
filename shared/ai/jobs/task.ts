import * as z from 'zod/mini'
import { platformIds } from '../../resources.ts'
import { SocialAccount } from '../../social-accounts/social-account.ts'
import { Voice } from '../../workspaces/voice.ts'

const Target = z.object({
  platform: z.enum(platformIds),
  socialAccountId: z.nullable(z.string()),
  details: z.optional(SocialAccount.shape.details),
})

const Generate = z.object({
  type: z.literal('generate'),
  prompt: z.string(),
  targets: z.array(Target),
  count: z.int(),
  tone: z.optional(z.string()),
  language: z.optional(z.string()),
  voice: z.nullable(Voice),
  memories: z.array(z.string()),
})

const Transcribe = z.object({
  type: z.literal('transcribe'),
  storageKey: z.string(),
  /** The file was sent with the request, and is removed with the task. */
  isUpload: z.boolean(),
  mimeType: z.string(),
  fileSize: z.number(),
  /** The length of the recording; the longest possible one if it is not known. */
  seconds: z.number(),
  /** What is charged if the provider does not report the length of the speech. */
  usualSeconds: z.number(),
  language: z.optional(z.string()),
})

export type TranscriptionTask = z.infer<typeof Transcribe>

/** What a worker has to do, as stored with a job. */
export const Task = z.union([Generate, Transcribe])
export type Task = z.infer<typeof Task>
