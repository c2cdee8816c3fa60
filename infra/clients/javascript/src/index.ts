export type * from './api.ts'
export { type Client, createClient, type Helpers } from './create-client.ts'
export { type ClientErrorCode, type ErrorDetails, type ErrorIssue, isCode, SocialError } from './errors.ts'
export { type ListenOptions, listen, type WebhookHandlers, type WebhookListener } from './listen.ts'
export type { ApiCall, CallOptions, ClientOptions, ListCall, Page, Result, TokenSource } from './options.ts'
export type { RateLimit } from './rate-limit.ts'
export type { RetryPolicy } from './retry.ts'
export type { UploadProgress } from './send-blob.ts'
export type { UploadFile, UploadOptions, UploadSource } from './upload.ts'
export { NotPublishedError, type WaitOptions } from './wait.ts'
export {
  type RawBody,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts'
