import { type ErrorResponse, retryAfterSeconds } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'

type Verdict = readonly [ErrorClass | 'unclear', string, ErrorFacts?]

export const lost = 'Slack does not accept the connection any more: connect the workspace again.'
const auth: Verdict = ['auth', lost]
const scopes: Verdict = ['auth', 'The Slack app lacks rights that publishing needs: connect the workspace again.']
const limited: Verdict = ['rate', 'Slack takes no more messages for a while.', { retryAfterSeconds: 60 }]
const moving: Verdict = ['rate', 'The Slack workspace is not available for a while.', { retryAfterSeconds: 600 }]
const noChannel: Verdict = [
  'invalid',
  'Slack does not show this channel to the app: invite it there, or choose another one.',
]
const noFiles: Verdict = ['invalid', 'The Slack workspace takes no such files']
/** A rule of the workspace for this channel or for all apps. */
const restricted: Verdict = ['blocked', 'The Slack workspace does not let the app post here']
const unclear: Verdict = ['unclear', 'Slack gave no clear answer.']

/** Slack's error names (platforms-b, 8.7); a text without a full stop is followed by the name. */
const verdicts = new Map<string, Verdict>([
  ['invalid_auth', auth],
  ['not_authed', auth],
  ['account_inactive', auth],
  ['token_revoked', auth],
  ['token_expired', auth],
  ['team_access_not_granted', auth],
  ['missing_scope', scopes],
  ['ratelimited', limited],
  ['rate_limited', limited],
  ['message_limit_exceeded', limited],
  ['team_added_to_org', moving],
  ['org_login_required', moving],
  ['accesslimited', moving],
  ['channel_not_found', noChannel],
  ['not_in_channel', noChannel],
  ['is_archived', ['invalid', 'The Slack channel is archived: choose another one.']],
  ['file_upload_size_restricted', noFiles],
  ['file_uploads_disabled', noFiles],
  ['file_uploads_except_images_disabled', noFiles],
  ['storage_limit_reached', noFiles],
  ['file_type_not_allowed', noFiles],
  ['file_not_found', ['transient', 'Slack dropped the uploaded files.', { preparedGone: true }]],
  ...[
    'restricted_action',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'restricted_action_non_threadable_channel',
    'ekm_access_denied',
    'no_permission',
  ].map((name) => [name, restricted] as const),
  ['service_unavailable', unclear],
  ['request_timeout', unclear],
  ['internal_error', unclear],
  ['fatal_error', unclear],
])

const lookUp = (code: string): Verdict => verdicts.get(code) ?? ['invalid', 'Slack refused the message']

/** Sorts Slack's no, which comes with a 200; a call that creates has an open end where Slack itself does not know. */
export const sortSlack = (code: string, answer: ErrorResponse, creates: boolean): PlatformError => {
  const [errorClass, text, facts] = lookUp(code)
  const asked = retryAfterSeconds(answer.headers)
  const about = {
    httpStatus: answer.status,
    code,
    detail: code,
    ...facts,
    ...(errorClass === 'rate' && asked !== undefined ? { retryAfterSeconds: asked } : {}),
  }
  if (errorClass !== 'unclear')
    return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${code}`, about)
  return creates
    ? new PlatformError('unknown', `${text.slice(0, -1)}: the post may be live.`, about)
    : new PlatformError('transient', text, about)
}

/** Sorts a refusal that came with a status of its own. */
export const sortStatus = (code: string | undefined, answer: ErrorResponse): PlatformError => {
  if (answer.status === 429) return sortSlack('ratelimited', answer, false)
  if (code !== undefined) return sortSlack(code, answer, false)
  return new PlatformError('transient', 'Slack is busy.', { httpStatus: answer.status })
}
