/** The codes of an invalid field of a request. */
export const fieldIssueCodes = [
  'required',
  'invalid_type',
  'too_small',
  'too_large',
  'not_allowed',
  'unknown_field',
  'invalid_format',
  'invalid',
] as const
export type FieldIssueCode = (typeof fieldIssueCodes)[number]

export interface FieldIssue {
  /** The path of the field, with dots between its parts. */
  field: string
  code: FieldIssueCode
  /** A full sentence. */
  message: string
}

/** The findings of validation in a post; each is also a code of the catalog. */
export const issueCodes = [
  'account_not_found',
  'account_disconnected',
  'duplicate_account',
  'content_length',
  'content_empty',
  'content_invalid',
  'hashtag_limit',
  'link_limit',
  'cashtag_limit',
  'mention_limit',
  'metadata_required',
  'metadata_invalid',
  'flair_required',
  'media_not_found',
  'media_url_invalid',
  'media_count',
  'media_type',
  'media_size',
  'media_dimensions',
  'media_duration',
  'media_encoding',
  'x_cap_exceeded',
  'first_comment_not_supported',
  'platform_api_ended',
  'invalid_input',
] as const
export type IssueCode = (typeof issueCodes)[number]

/** An issue of one account's share of a post, as the API returns it. */
export interface Issue {
  socialAccountId: string | null
  platform: string
  code: IssueCode
  /** The field of the request that is at fault. */
  field?: string | undefined
  message: string
  /** How to fix it, in one sentence. */
  next?: string
}
