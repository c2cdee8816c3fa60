import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, PlatformError, shortDetail } from '../platform-error.ts'

const name = 'Slack'

const { accessRevoked, noClearResponse } = commonErrors
const scopesMissing: Classification = ['auth', commonErrors.scopesMissing[1]]
const limited: Classification = ['rate', 'rate limit reached. Try again later.', { retryAfterSeconds: 60 }]
const moving: Classification = ['rate', 'workspace is temporarily unavailable.', { retryAfterSeconds: 600 }]
const noChannel: Classification = [
  'invalid',
  'channel not found, or the app is not a member. Invite the app, or choose another channel.',
]
/** To be fixed by the author, in the post. */
const byAuthor = (sentence: string): Classification => ['invalid', sentence]
const wrongBlocks = byAuthor('rejected the blocks of the message. Correct metadata.slack.blocks.')
/** To be fixed by an admin of the workspace, who need not reconnect it. */
const byAdmin = (sentence: string): Classification => ['blocked', sentence]
const appRestricted = byAdmin('does not let this app act in the workspace. Ask an admin of the workspace to allow it.')
const wrongToken: Classification = ['permission', 'no longer lets this app act in the workspace. Reconnect it.']
/** A rule of the workspace for this channel or for all apps. */
const restricted = byAdmin(
  'workspace does not allow the app to post here. Choose another channel, or ask an admin of the workspace.',
)
const notShared = byAdmin(
  'workspace shares no such files with other organizations. Choose another channel, or ask an admin of the workspace.',
)

/** Slack's error names (chat.postMessage, chat.update, chat.delete, files.completeUploadExternal, conversations.info, 2026-11-29). */
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
  ['channel_is_limited_access', byAuthor('does not let the app into this channel. Choose another one.')],
  ['messages_tab_disabled', byAuthor('takes no direct messages to this app. Choose a channel.')],
  ['cannot_reply_to_message', byAuthor('takes no replies to that message. Reply to another one.')],
  ['no_text', byAuthor('takes no message without a text. Write one.')],
  ['msg_too_long', byAuthor('takes no message as long as this one. Shorten it.')],
  ['msg_blocks_too_long', byAuthor('takes no blocks as long as these. Shorten them.')],
  ['invalid_blocks', wrongBlocks],
  ['invalid_blocks_format', wrongBlocks],
  ['too_many_attachments', byAuthor('takes no message with so many files. Attach fewer.')],
  ['file_upload_size_restricted', byAuthor('workspace takes no files as large as these. Attach smaller ones.')],
  ['file_uploads_disabled', byAuthor('workspace takes no files. Post without them.')],
  ['file_uploads_except_images_disabled', byAuthor('workspace takes images only. Post without other files.')],
  ['file_type_not_allowed', byAuthor('workspace takes no files of this type. Attach another one.')],
  ['storage_limit_reached', byAuthor('workspace has no space left for files. Ask an admin of the workspace.')],
  ['cant_update_message', byAuthor('does not let the app change this message.')],
  ['edit_window_closed', byAuthor('workspace no longer allows changes to this message.')],
  ['cant_delete_message', byAuthor('does not let the app delete this message.')],
  ['compliance_exports_prevent_deletion', byAuthor('workspace keeps all messages for its records, also this one.')],
  ['file_not_found', ['transient', 'dropped the uploaded files.', { preparedGone: true }]],
  ['restricted_action', restricted],
  ['posting_to_channel_denied', restricted],
  ['posting_to_general_channel_denied', restricted],
  ['no_permission', byAdmin('does not allow the app to post here. Invite the app, or choose another channel.')],
  ['restricted_action_read_only_channel', byAdmin('channel is read-only. Choose another one.')],
  [
    'restricted_action_thread_only_channel',
    byAdmin('channel takes replies in threads only. Send metadata.slack.threadTs, or choose another channel.'),
  ],
  [
    'restricted_action_non_threadable_channel',
    byAdmin('channel takes no replies in threads. Leave out metadata.slack.threadTs, or choose another channel.'),
  ],
  ['restricted_action_thread_locked', byAdmin('thread is locked. Reply in another one.')],
  ['ekm_access_denied', byAdmin('workspace has suspended posting. Ask an admin of the workspace.')],
  ['slack_connect_file_link_sharing_blocked', notShared],
  ['slack_connect_canvas_sharing_blocked', notShared],
  ['slack_connect_lists_sharing_blocked', notShared],
  ['service_unavailable', noClearResponse],
  ['request_timeout', noClearResponse],
  ['internal_error', noClearResponse],
  ['fatal_error', noClearResponse],
])

const classify = (code: string): Classification =>
  byName.get(code) ?? byAuthor(`rejected the message (${shortDetail(code)}).`)

/** Classifies Slack's error, which comes with a 200. The outcome of a create is unknown if Slack itself does not know it. */
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
