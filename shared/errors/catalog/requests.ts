import type { ErrorEntries } from '../reason.ts'

/** Errors of any request: its body, its repetition, limits, and an unavailable service. */
export const requestErrors = {
  invalid_input: {
    reason: 'invalid',
    message: '"scheduledAt" must be at most five years in the future.',
    meaning: 'A field, query parameter, or header is missing, malformed, or out of range.',
    fix: 'Correct what `field` names; `issues` lists every invalid field.',
  },
  body_required: {
    reason: 'invalid',
    message: 'The body is empty. Send a JSON object.',
    meaning: 'The request has no body.',
    fix: 'Send a JSON object.',
  },
  invalid_json: {
    reason: 'invalid',
    message: 'The body is not valid JSON at line 3, column 1. Check quotes, commas, and brackets.',
    meaning: 'The body is not JSON in UTF-8 with at most 32 levels of nesting.',
    fix: 'Send well-formed JSON.',
  },
  unsupported_content_type: {
    reason: 'invalid',
    message: 'The header "Content-Type" must be "application/json".',
    meaning: 'The content type of the body is not JSON.',
    fix: 'Send the header `Content-Type: application/json`.',
  },
  unsupported_charset: {
    reason: 'invalid',
    message: 'The charset "iso-8859-1" is not supported. Send the body in UTF-8.',
    meaning: 'The charset in the header `Content-Type` is not UTF-8.',
    fix: 'Send the body in UTF-8.',
  },
  unsupported_encoding: {
    reason: 'invalid',
    message: 'The body with the header "Content-Encoding: br" cannot be decoded. Send it uncompressed or with gzip.',
    meaning: 'The body is compressed in a way that the service does not decode.',
    fix: 'Send the body uncompressed or with gzip.',
  },
  body_too_large: {
    reason: 'too-large',
    message: 'The body has 1048577 bytes. Send at most 1048576.',
    meaning: 'The body is larger than the service accepts.',
    fix: 'Send a smaller body; upload files with POST /api/media/upload-url.',
  },
  route_not_found: {
    reason: 'missing',
    message: 'No route has this path. Check its spelling. GET /api/docs lists all paths.',
    meaning: 'The path is not a path of the API.',
    fix: 'Check the spelling of the path.',
  },
  error_code_not_found: {
    reason: 'missing',
    message: 'The API has no error code post_lost. GET /api/docs lists all codes.',
    meaning: 'The API has no error code of this name.',
    fix: 'Use the `docUrl` of an error unchanged.',
  },
  guide_not_found: {
    reason: 'missing',
    message: 'There is no guide nope. GET /llms.txt lists all guides.',
    meaning: 'There is no guide with this name.',
    fix: 'Take a name from `GET /llms.txt`.',
  },
  method_not_allowed: {
    reason: 'unsupported',
    message: 'This path does not have this method. It has GET, HEAD, OPTIONS.',
    meaning: 'The path exists, but not with this method.',
    fix: 'Use a method that the header `Allow` lists.',
  },
  idempotency_key_reused: {
    reason: 'mismatched',
    message: 'This Idempotency-Key was used with another request. Use a new key.',
    meaning: 'A request with the same key and another body was already made in the last 24 hours.',
    fix: 'Use a new key for every new request.',
  },
  idempotency_key_in_use: {
    reason: 'conflict',
    message: 'A request with this Idempotency-Key is still in progress. Retry in a few seconds.',
    meaning: 'A request with the same key has not finished yet.',
    fix: 'Retry with the same key in a few seconds.',
  },
  secret_already_returned: {
    reason: 'conflict',
    message: 'This request already created whe_3ujT0dY1wqz5N8rXbC2L. Its secret is returned only once.',
    meaning: 'The request with this key already succeeded, and its response contained a secret that is not stored.',
    fix: 'Use the resource that `id` names; create another one if its secret is lost.',
  },
  concurrent_update: {
    reason: 'conflict',
    message: 'The post changed during the request. Read it again, then retry.',
    meaning: 'Another request changed the same resource at the same time, and this one changed nothing.',
    fix: 'Read the resource again, then retry.',
  },
  newer_release: {
    reason: 'conflict',
    message:
      'A newer release of the service wrote this resource, and the running one cannot read it. Nothing was changed. Retry when the update is finished.',
    meaning: 'The resource was written by a newer release of the service, during an update or before a rollback.',
    fix: 'Retry when the update is finished. Lists leave the resource out and count it in `unreadable`.',
  },
  quota_exceeded: {
    reason: 'conflict',
    message:
      'The limit is 10000 drafts in a workspace, and 10000 are used. Delete drafts that you no longer need, or ask the operator for a higher limit.',
    meaning: 'A quota of existing resources is used up; `quota`, `limit`, and `used` name it.',
    fix: 'Delete what is no longer needed, or ask the operator for a higher limit.',
  },
  rate_limited: {
    reason: 'limited',
    message: 'Rate limit exceeded',
    meaning: 'More requests were made than the rate limit allows.',
    fix: 'Retry after the seconds that `Retry-After` names.',
  },
  quota_rate_exceeded: {
    reason: 'limited',
    message: 'This workspace has reached its limit of invitations. Try again in 3 hours.',
    meaning: 'A quota that refills over time is used up; `quota` and `limit` name it.',
    fix: 'Retry after the seconds that `Retry-After` names; without that header the request alone is above the limit.',
  },
  unavailable: {
    reason: 'unavailable',
    message: 'The service is too busy. Nothing was changed. Retry in a few seconds.',
    meaning: 'The service, or a dependency, does not respond; nothing was changed.',
    fix: 'Retry after the seconds that `Retry-After` names.',
  },
  outcome_unknown: {
    reason: 'unavailable',
    message:
      'The service could not finish in time, and this request may have been carried out. Repeat it with the same Idempotency-Key. It is carried out only once.',
    meaning: 'The service could not finish in time; the request may have been carried out.',
    fix: 'Follow the message before you repeat the request.',
  },
  timeout: {
    reason: 'timed-out',
    message:
      'The service could not finish in time, and this request may have been carried out. Check before you repeat it.',
    meaning: 'The API did not respond within 29 seconds; the request may have been carried out.',
    fix: 'Read the resource before you repeat the request.',
  },
  internal_error: {
    reason: 'internal',
    message: 'Unexpected server error. Retry; if it persists, contact support with the request ID.',
    meaning: 'The service failed unexpectedly.',
    fix: 'Retry with exponential backoff; if it persists, contact support with the `X-Request-Id`.',
  },
} as const satisfies ErrorEntries
