/** The error codes of RFC 6749 (5.2), RFC 7591 (3.2.2), and RFC 8707 (2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** A refusal in the form of OAuth: it is answered with status 400, outside the envelope of the API. */
export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly code: OAuthErrorCode
  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }
}
