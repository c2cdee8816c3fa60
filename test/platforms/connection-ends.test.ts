import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyBlueskyError } from '../../shared/platforms/bluesky/errors.ts'
import { classifyDiscordError } from '../../shared/platforms/discord/errors.ts'
import { site as facebook } from '../../shared/platforms/facebook/site.ts'
import { classifyGraphError } from '../../shared/platforms/graph/errors.ts'
import type { GraphSite } from '../../shared/platforms/graph/site.ts'
import type { ErrorResponse } from '../../shared/platforms/http.ts'
import { site as instagram } from '../../shared/platforms/instagram/site.ts'
import { classifyLinkedInError } from '../../shared/platforms/linkedin/errors.ts'
import { classifyPinterestError } from '../../shared/platforms/pinterest/errors.ts'
import { type ErrorClass, endsConnection, type PlatformError } from '../../shared/platforms/platform-error.ts'
import { classifyRedditError, errorIn } from '../../shared/platforms/reddit/errors.ts'
import { classifySlackError } from '../../shared/platforms/slack/errors.ts'
import { site as threads } from '../../shared/platforms/threads/site.ts'
import { classifyFailReason, classifyTikTokError } from '../../shared/platforms/tiktok/errors.ts'
import { classifyXError } from '../../shared/platforms/x/errors.ts'
import { classifyYouTubeError } from '../../shared/platforms/youtube/errors.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'

const answered = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ErrorResponse => ({
  status,
  headers,
  body,
  nowMs: Date.UTC(2026, 10, 22),
})

const meta = (site: GraphSite) => (status: number, code: string, words: string) => {
  const [number, subcode] = code.split('/').map(Number)
  const error = { message: words, code: number || 0, ...(subcode ? { error_subcode: subcode } : {}) }
  return classifyGraphError(site, answered(status, { error }), { creates: true, secrets: [] })
}

/** A refusal in each platform's own form, by its status, the platform's name or number for it, and its words. */
const refuse: Readonly<Record<PlatformId, (status: number, code: string, words: string) => PlatformError>> = {
  x: (status, slug, detail) =>
    classifyXError(answered(status, { title: 'Title', detail, type: `x/problems/${slug}`, status })),
  bluesky: (status, error, message) => classifyBlueskyError(answered(status, { error, message })),
  threads: meta(threads),
  facebook: meta(facebook),
  instagram: meta(instagram),
  linkedin: (status, code, message) => classifyLinkedInError(answered(status, { status, code, message })),
  tiktok: (status, code, message) => classifyTikTokError(answered(status, { data: {}, error: { code, message } })),
  pinterest: (status, code, message) => classifyPinterestError(answered(status, { code: Number(code) || 0, message })),
  youtube: (status, reason, message) =>
    classifyYouTubeError(answered(status, { error: { message, errors: [{ reason }] } })),
  reddit(status, code, words) {
    if (status === 403 && code === 'insufficient_scope') {
      return classifyRedditError(answered(status, undefined, { 'www-authenticate': `Bearer error="${code}"` }))
    }
    const said = errorIn(answered(status, { json: { errors: [[code, words, 'field']] } }))
    return status === 200 && said
      ? said
      : classifyRedditError(answered(status, { message: words, error: status, reason: code }))
  },
  discord: (status, code, message) => classifyDiscordError(answered(status, { code: Number(code) || 0, message })),
  slack: (status, error) => classifySlackError(error, answered(status, { ok: false, error }), true),
}

type Row = readonly [platform: PlatformId, status: number, code: string, words: string, errorClass: ErrorClass]

const everyGraph = (...row: [number, string, string, ErrorClass]): Row[] =>
  (['threads', 'facebook', 'instagram'] as const).map((platform) => [platform, ...row])

/** Everything that ends a connection: a grant that is revoked, expired or too small, and an account that is closed. */
const ending: readonly Row[] = [
  ['x', 401, '', 'Unauthorized', 'auth'],
  ['x', 403, 'unsupported-authentication', '', 'auth'],
  ['x', 403, 'user-suspended', '', 'permission'],
  ['x', 403, '', 'Your account is suspended and is not permitted to access this feature.', 'permission'],
  ['bluesky', 401, 'AuthenticationRequired', 'Invalid identifier or password', 'auth'],
  ['bluesky', 401, 'AuthMissing', '', 'auth'],
  ['bluesky', 400, 'ExpiredToken', 'Token has been revoked', 'auth'],
  ['bluesky', 400, 'InvalidToken', 'Token could not be verified', 'auth'],
  ['bluesky', 403, 'AccountNotFound', '', 'auth'],
  ['bluesky', 401, 'AuthFactorTokenRequired', '', 'auth'],
  ['bluesky', 401, 'AccountDeactivated', '', 'permission'],
  ['bluesky', 400, 'AccountTakedown', 'Account has been suspended', 'permission'],
  ...everyGraph(400, '190/458', 'The user has not authorized the application', 'auth'),
  ...everyGraph(400, '190/460', 'The session has been invalidated', 'auth'),
  ...everyGraph(400, '190', 'Invalid OAuth access token', 'auth'),
  ...everyGraph(400, '102', 'The session has expired', 'auth'),
  ...everyGraph(403, '10', 'Application does not have permission for this action', 'permission'),
  ...everyGraph(403, '200', '(#200) requires pages_manage_posts', 'permission'),
  ...everyGraph(403, '299', 'The last of the scopes', 'permission'),
  ['instagram', 400, '10', 'The user is not an Instagram Business', 'permission'],
  ['threads', 400, '1', 'Error validating access token: expired', 'auth'],
  ['linkedin', 401, 'REVOKED_ACCESS_TOKEN', '', 'auth'],
  ['linkedin', 401, 'EXPIRED_ACCESS_TOKEN', '', 'auth'],
  ['linkedin', 403, 'ACCESS_DENIED', 'Not enough permissions to access: POST /posts', 'permission'],
  ['linkedin', 403, '', 'Not enough permissions to act for the page', 'permission'],
  ['linkedin', 403, '', 'Organization permissions must be used when using organization as author', 'permission'],
  ['tiktok', 401, 'access_token_invalid', '', 'auth'],
  ['tiktok', 401, 'scope_not_authorized', '', 'permission'],
  ['tiktok', 401, 'scope_permission_missed', '', 'permission'],
  ['pinterest', 401, '2', 'Authentication failed.', 'auth'],
  ['youtube', 401, 'authError', 'Invalid Credentials', 'auth'],
  ['youtube', 401, 'required', 'Login Required', 'auth'],
  ['youtube', 401, 'youtubeSignupRequired', '', 'permission'],
  ['youtube', 403, 'insufficientPermissions', '', 'permission'],
  ['youtube', 403, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', '', 'permission'],
  ['youtube', 403, 'authenticatedUserAccountClosed', '', 'permission'],
  ['youtube', 403, 'authenticatedUserAccountSuspended', '', 'permission'],
  ['youtube', 403, 'channelClosed', '', 'permission'],
  ['youtube', 403, 'channelSuspended', '', 'permission'],
  ['youtube', 403, 'authenticatedUserNotChannel', '', 'permission'],
  ['youtube', 403, 'accountDelegationForbidden', '', 'permission'],
  ['reddit', 401, '', 'Unauthorized', 'auth'],
  ['reddit', 200, 'USER_REQUIRED', 'Please log in to do that.', 'auth'],
  ['reddit', 403, 'insufficient_scope', '', 'auth'],
  ['discord', 403, '50001', 'Missing Access', 'auth'],
  ['discord', 404, '10004', 'Unknown Guild', 'auth'],
  ['slack', 200, 'invalid_auth', '', 'auth'],
  ['slack', 200, 'not_authed', '', 'auth'],
  ['slack', 200, 'account_inactive', '', 'auth'],
  ['slack', 200, 'token_revoked', '', 'auth'],
  ['slack', 200, 'token_expired', '', 'auth'],
  ['slack', 200, 'team_access_not_granted', '', 'auth'],
  ['slack', 200, 'missing_scope', '', 'auth'],
  ['slack', 200, 'access_denied', '', 'permission'],
  ['slack', 200, 'not_allowed_token_type', '', 'permission'],
]

/** Refusals of one post, and blocks that pass, that were or could be taken for the loss of a connection. */
const keeping: readonly Row[] = [
  ['x', 403, '', 'Your account is not permitted to access this feature.', 'blocked'],
  ['x', 403, '', 'You have been blocked from the author of this Tweet.', 'blocked'],
  ['x', 403, 'user-suspended', 'The author of the Tweet has been suspended.', 'blocked'],
  ['x', 403, '', 'To protect our users from spam, this account is temporarily locked.', 'blocked'],
  ['x', 403, '', 'You are not permitted to perform this action.', 'invalid'],
  ['x', 403, '', 'Posts are limited to a maximum of one cashtag.', 'invalid'],
  ['x', 403, 'client-forbidden', '', 'transient'],
  ['x', 403, '', 'User is over daily status update limit.', 'quota'],
  ['x', 403, '', 'This request looks like it might be automated.', 'blocked'],
  ['bluesky', 403, 'Forbidden', 'You may not', 'blocked'],
  ['bluesky', 400, 'InvalidRequest', '', 'invalid'],
  ...everyGraph(400, '368', 'The action attempted has been deemed abusive', 'blocked'),
  ...everyGraph(400, '190/459', 'The user is in a checkpoint', 'blocked'),
  ...everyGraph(400, '190/490', 'The user is enrolled in a checkpoint', 'blocked'),
  ...everyGraph(400, '190/464', 'The user is not a confirmed user', 'blocked'),
  ...everyGraph(400, '3', 'The application lacks the capability', 'permission'),
  ...everyGraph(400, '100/33', 'No such object', 'invalid'),
  ['facebook', 400, '1/1346003', 'Flagged', 'blocked'],
  ['facebook', 400, '1/1404102', 'Community standards', 'blocked'],
  ['facebook', 400, '1/1404078', 'Authorize the page', 'blocked'],
  ['facebook', 400, '1/1404112', 'Limited', 'blocked'],
  ['facebook', 400, '1/4854002', 'Confirm your identity', 'blocked'],
  ['threads', 400, '24/4279013', 'Restricted', 'blocked'],
  ['threads', 400, '1/2207051', 'Spam', 'blocked'],
  ['instagram', 400, '25/2207050', 'Restricted', 'blocked'],
  ['instagram', 400, '4/2207051', 'Spam', 'blocked'],
  ['instagram', 400, '9', 'You reached maximum number of posts that is allowed to be published', 'quota'],
  ['instagram', 400, '9/2207042', 'You reached maximum number of posts', 'quota'],
  ['linkedin', 403, '', 'Unpermitted fields present in REQUEST_BODY: Data Processing Exception', 'invalid'],
  ['linkedin', 403, '', 'This resource is forbidden', 'transient'],
  ['linkedin', 403, 'FORBIDDEN', '', 'transient'],
  ['tiktok', 403, 'spam_risk_user_banned_from_posting', '', 'blocked'],
  ['tiktok', 403, 'spam_risk_too_many_posts', '', 'quota'],
  ['tiktok', 403, 'unaudited_client_can_only_post_to_private_accounts', '', 'permission'],
  ['pinterest', 403, '29', 'You are not permitted to access that resource.', 'invalid'],
  ['pinterest', 403, '29', 'Apps with Trial access may not create Pins', 'permission'],
  ['pinterest', 403, '0', 'Sorry! We blocked this link because it may lead to spam.', 'blocked'],
  ['youtube', 403, 'forbidden', 'Forbidden', 'blocked'],
  ['youtube', 400, 'uploadLimitExceeded', '', 'quota'],
  ['youtube', 403, 'accessNotConfigured', '', 'permission'],
  ['reddit', 200, 'IN_TIMEOUT', "You can't do that while suspended.", 'blocked'],
  ['reddit', 200, 'BANNED_FROM_SUBREDDIT', '', 'invalid'],
  ['reddit', 403, 'private', 'Forbidden', 'invalid'],
  ['reddit', 403, '', 'You have been blocked by network security.', 'transient'],
  ['discord', 403, '50013', 'Missing Permissions', 'invalid'],
  ['discord', 400, '200000', 'Message was blocked by automatic moderation', 'blocked'],
  ['discord', 400, '240000', 'Harmful links', 'blocked'],
  ['discord', 403, '40062', 'Service resource is being rate limited', 'rate'],
  ['discord', 401, '0', '401: Unauthorized', 'auth'],
  ['slack', 200, 'restricted_action', '', 'blocked'],
  ['slack', 200, 'ekm_access_denied', '', 'blocked'],
  ['slack', 200, 'no_permission', '', 'blocked'],
  ['slack', 200, 'channel_not_found', '', 'invalid'],
  ['slack', 200, 'posting_to_channel_denied', '', 'blocked'],
  ['slack', 200, 'two_factor_setup_required', '', 'blocked'],
  ['slack', 200, 'app_access_restricted', '', 'blocked'],
  ['slack', 200, 'enterprise_is_restricted', '', 'blocked'],
  ['slack', 200, 'file_update_failed', '', 'unknown'],
]

const sorted = ([platform, status, code, words]: Row) => refuse[platform](status, code, words)

test.each(ending)('%s %s %s %s ends the connection: %s', (...row) => {
  const error = sorted(row)
  expect([error.errorClass, endsConnection(error)]).toEqual([row[4], true])
})

test.each(keeping)('%s %s %s %s keeps the connection: %s', (...row) => {
  const error = sorted(row)
  expect([error.errorClass, endsConnection(error)]).toEqual([row[4], false])
  expect(error.message).toMatch(/^[A-Z].+[^:]$/)
})

test.each([
  ['tiktok', 'a daily limit that is found after the upload', classifyFailReason('spam_risk_too_many_posts')],
  ['tiktok', 'the same limit before it', refuse.tiktok(403, 'spam_risk_too_many_posts', '')],
  ['youtube', 'uploads of a day', refuse.youtube(400, 'uploadLimitExceeded', '')],
  ['instagram', 'posts of a day', refuse.instagram(400, '9/2207042', '')],
  ['x', 'posts of a day', refuse.x(403, '', 'User is over daily status update limit.')],
] as const)('%s: %s is tried again each hour', (_platform, _what, { errorClass, info }) => {
  expect([errorClass, info.retryAfterSeconds]).toEqual(['quota', 3600])
})

test('X: what the operator may spend is waited for until the day that X names', () => {
  const body = { title: 'SpendCapReached', detail: 'Spend cap', type: 'x/problems/credits', reset_date: '2026-11-24' }
  const { errorClass, info, message } = classifyXError(answered(403, body))
  expect([errorClass, info.retryAfterSeconds, info.operator]).toEqual(['quota', 2 * 86_400, true])
  expect(message).toContain('until 2026-11-24')
  expect(classifyXError(answered(403, { ...body, reset_date: 'soon' })).info.retryAfterSeconds).toBe(900)
})

test('of TikTok’s fail reasons only a removed authorization ends the connection', () => {
  expect(endsConnection(classifyFailReason('auth_removed'))).toBe(true)
  const source = readFileSync(new URL('../../shared/platforms/tiktok/errors.ts', import.meta.url), 'utf8')
  const reasons = [...source.matchAll(/'([a-z_]+)'/g)].map(([, name = '']) => name)
  expect(reasons).toContain('spam_risk_text')
  const ended = reasons.filter((reason) => endsConnection(classifyFailReason(reason)))
  expect([...new Set(ended)]).toEqual(['auth_removed'])
})

const metas: readonly PlatformId[] = ['threads', 'facebook', 'instagram']

/** Every name and number in a platform's error table, whatever it is there for. */
const namesIn = (platform: PlatformId): string[] => {
  const folders = metas.includes(platform) ? [platform, 'graph'] : [platform]
  const sources = folders.map((name) =>
    readFileSync(new URL(`../../shared/platforms/${name}/errors.ts`, import.meta.url), 'utf8'),
  )
  const names = sources.flatMap((source) => [...source.matchAll(/'([\w-]+)'|\b(\d[\d_]*)\b/g)])
  return [...new Set(names.map(([, name, number = '']) => name ?? number.replaceAll('_', '')))]
}

/** What ends a connection by its name, whatever its status; a 401 is left out, since that is always about the token. */
const isAboutGrant = (platform: PlatformId, code: string): boolean => {
  const [first = ''] = metas.includes(platform) ? code.split('/') : [code]
  if (metas.includes(platform) && Number(first) >= 200 && Number(first) <= 299) return true
  return ending.some(([id, , name]) => id === platform && name !== '' && name === first)
}

const platform = fc.constantFrom(...platformIds)
const statuses = [200, 400, 402, 403, 404, 409, 410, 413, 415, 422, 423, 426, 429, 451]
const refusal = platform.chain((id) => {
  const known = fc.constantFrom(...namesIn(id))
  const single = fc.oneof(known, fc.string(), fc.nat(6_000_000).map(String))
  // Meta's codes come with subcodes.
  const pair = fc.tuple(known, known).map(([one, other]) => `${one}/${other}`)
  const code = metas.includes(id) ? fc.oneof(single, pair) : single
  const words = fc.oneof(fc.string(), fc.constantFrom(...keeping.map((row) => row[3])))
  return fc.record({ id: fc.constant(id), status: fc.constantFrom(...statuses), code, words })
})

test('no other refusal ends a connection, whatever its status, name and words', () => {
  fc.assert(
    fc.property(refusal, ({ id, status, code, words }) => {
      fc.pre(!isAboutGrant(id, code))
      expect(endsConnection(refuse[id](status, code, words))).toBe(false)
    }),
    { numRuns: 5000 },
  )
})
