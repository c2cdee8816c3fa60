import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, PlatformError } from '../platform-error.ts'

const name = 'Slack'

const { accessRevoked, noClearResponse } = commonErrors
const scopesMissing: Classification = ['auth', commonErrors.scopesMissing[1]]
const limited: Classification = ['rate', 'rate limit reached. Try again later.', { retryAfterSeconds: 60 }]
const moving: Classification = ['rate', 'workspace is temporarily unavailable.', { retryAfterSeconds: 600 }]
const noChannel: Classification = [
  'invalid',
  'channel not found, or the app is not a member. Invite the app, or choose another channel.',
]
const noFiles: Classification = ['invalid', 'workspace does not accept these files']
/** Mended by an admin of the workspace, who need not connect it again. */
const byAdmin = (sentence: string): Classification => ['blocked', sentence]
const appRestricted = byAdmin('does not let this app act in the workspace. Ask an admin of the workspace to allow it.')
const wrongToken: Classification = ['permission', 'no longer lets this app act in the workspace. Reconnect it.']
/** A rule of the workspace for this channel or for all apps. */
const restricted: Classification = ['blocked', 'workspace does not allow the app to post here']

/**
 * Slack's error names (chat.postMessage, files.completeUploadExternal); a sentence without a full stop is followed by
 * the name.
 */
const byName = new Map<string, Classification>([
  ['invalid_auth', accessRevoked],
  ['not_authed', accessRevoked],
  ['account_inactive', accessRevoked],
  ['token_revoked', accessRevoked],
  ['token_expired', accessRevoked],
  ['team_access_not_granted', accessRevoked],
  ['missing_scope', scopesMissing],
  ['access_denied', wrongToken],
  ['not_allowed_token_type', wrongToken],
  ['app_access_restricted', appRestricted],
  ['enterprise_is_restricted', appRestricted],
  [
    'two_factor_setup_required',
    byAdmin('requires the person who connected the workspace to set up two-factor authentication first.'),
  ],
  ['file_update_failed', noClearResponse],
  ['ratelimited', limited],
  ['rate_limited', limited],
  ['message_limit_exceeded', limited],
  ['team_added_to_org', moving],
  ['org_login_required', moving],
  ['accesslimited', moving],
  ['channel_not_found', noChannel],
  ['invalid_channel', noChannel],
  ['not_in_channel', noChannel],
  ['is_archived', ['invalid', 'channel is archived. Choose another one.']],
  ['file_upload_size_restricted', noFiles],
  ['file_uploads_disabled', noFiles],
  ['file_uploads_except_images_disabled', noFiles],
  ['storage_limit_reached', noFiles],
  ['file_type_not_allowed', noFiles],
  ['file_not_found', ['transient', 'dropped the uploaded files.', { preparedGone: true }]],
  ...[
    'restricted_action',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'restricted_action_non_threadable_channel',
    'restricted_action_thread_locked',
    'posting_to_channel_denied',
    'posting_to_general_channel_denied',
    'slack_connect_file_link_sharing_blocked',
    'slack_connect_canvas_sharing_blocked',
    'slack_connect_lists_sharing_blocked',
    'ekm_access_denied',
    'no_permission',
  ].map((name) => [name, restricted] as const),
  ['service_unavailable', noClearResponse],
  ['request_timeout', noClearResponse],
  ['internal_error', noClearResponse],
  ['fatal_error', noClearResponse],
])

const classify = (code: string): Classification => byName.get(code) ?? ['invalid', 'rejected the message']

/**
 * Classifies Slack's error, which comes with a 200. The outcome of a create is unknown where Slack itself does not
 * know.
 */
export const classifySlackError = (code: string, response: ErrorResponse, creates: boolean): PlatformError => {
  const known = classify(code)
  const error = classified(name, creates && known === noClearResponse ? commonErrors.mayBeLive : known, {
    httpStatus: response.status,
    code,
    detail: code,
  })
  const retryAfterSeconds = error.errorClass === 'rate' ? retryAfterOf(response) : undefined
  if (retryAfterSeconds === undefined) return error
  return new PlatformError(error.errorClass, error.message, { ...error.info, retryAfterSeconds })
}

/** Classifies a response with an error status. */
export const classifyStatus = (code: string | undefined, response: ErrorResponse, creates: boolean): PlatformError => {
  if (response.status === 429) return classifySlackError('ratelimited', response, creates)
  if (code !== undefined) return classifySlackError(code, response, creates)
  return classified(name, commonErrors.unavailable, { httpStatus: response.status })
}

/** The error of an account whose access was revoked. */
export const accessRevokedError = (): PlatformError => classified(name, accessRevoked)
