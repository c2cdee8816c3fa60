/** Why a post was not published, as codes for programs; `error` is the sentence for people. */
export const failureReasons = [
  'rejected',
  'blocked',
  'duplicate_content',
  'rate_limited',
  'quota_reached',
  'platform_unavailable',
  'platform_api_ended',
  'permission_missing',
  'account_disconnected',
  'account_removed',
  'thread_broken',
  'media_import_failed',
  'too_late',
  'outcome_unknown',
] as const
export type FailureReason = (typeof failureReasons)[number]
