import { expect, test } from 'vitest'
import { youtube as connector } from '../../shared/platforms/youtube/connect.ts'
import { secondsToPacificMidnight } from '../../shared/platforms/youtube/errors.ts'
import { youtube } from '../../shared/platforms/youtube/publish.ts'
import { failureOf } from './site.ts'
import { transportFaults } from './transport-faults.ts'
import { visit } from './visit.ts'

const { site, platforms, fault, open, prepared, commit, probe } = await visit(youtube, connector)

const refusal = (reason: string, message = 'in their words') => ({
  error: { code: 403, message, errors: [{ domain: 'youtube', reason, message }], status: 'X' },
})

const toMidnight = { retryAfterSeconds: 20 * 3600, operator: true }

test.each([
  [401, 'authError', 'auth', {}],
  [401, 'required', 'auth', {}],
  [401, 'youtubeSignupRequired', 'permission', {}],
  [403, 'insufficientPermissions', 'permission', {}],
  [403, 'forbidden', 'blocked', {}],
  [403, 'authenticatedUserAccountClosed', 'permission', {}],
  [403, 'authenticatedUserAccountSuspended', 'permission', {}],
  [403, 'quotaExceeded', 'quota', toMidnight],
  [403, 'dailyLimitExceeded', 'quota', toMidnight],
  [403, 'rateLimitExceeded', 'rate', { retryAfterSeconds: 30 }],
  [429, 'userRateLimitExceeded', 'rate', { retryAfterSeconds: 30 }],
  [429, 'unheardOf', 'rate', { retryAfterSeconds: 30 }],
  [400, 'uploadLimitExceeded', 'quota', { retryAfterSeconds: 3600 }],
  [400, 'invalidTitle', 'invalid', { detail: 'in their words' }],
  [400, 'invalidDescription', 'invalid', {}],
  [400, 'invalidTags', 'invalid', {}],
  [400, 'invalidCategoryId', 'invalid', {}],
  [400, 'invalidVideoMetadata', 'invalid', {}],
  [403, 'forbiddenPrivacySetting', 'invalid', {}],
  [403, 'accessNotConfigured', 'permission', { operator: true }],
  [503, 'backendError', 'transient', {}],
] as const)('opening a session meets %s %s', async (status, reason, errorClass, info) => {
  const call = await open()
  // Eight in the evening in UTC is noon in California.
  const evening = Date.UTC(2026, 10, 22, 12)
  fault({ operation: 'open', fault: 'status', status, body: refusal(reason) })
  const clock = { ...call.ctx.clock, now: () => evening }
  const failure = await failureOf(prepared({ ...call, ctx: { ...call.ctx, clock } }))
  expect(failure).toMatchObject({ errorClass, info })
})

test('a disabled API is an operator error, by its detailed reason', async () => {
  const body = {
    error: { code: 403, message: 'x', status: 'PERMISSION_DENIED', details: [{ reason: 'SERVICE_DISABLED' }] },
  }
  fault({ operation: 'open', fault: 'status', status: 403, body })
  expect(await failureOf(prepared(await open()))).toMatchObject({ errorClass: 'permission', info: { operator: true } })
})

test.each([
  ['400', { fault: 'status', status: 400 }, 'invalid', {}],
  ['401', { fault: 'token_revoked' }, 'auth', {}],
  ['429', { fault: 'rate_limited' }, 'rate', { retryAfterSeconds: 30 }],
  ['reset', { fault: 'reset_after' }, 'unknown', {}],
  ...transportFaults,
  ['200 without a video', { fault: 'status', status: 200, body: { kind: 'other' } }, 'unknown', {}],
] as const)('the last bytes meet %s', async (_, script, errorClass, info) => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ operation: '*', ...script })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass, info })
  expect(platforms.published()).toEqual([])
})

test('a session without a clear response is unclear', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  for (const script of [
    { fault: 'status', status: 503 },
    { fault: 'token_revoked' },
    { fault: 'reset_before' },
  ] as const) {
    fault({ operation: '*', ...script })
    await failureOf(probe(call, ready))
  }
})

test('sends nothing to an upload URL on another host', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  const ref = { ...ready, session: 'https://evil.test/upload' }
  expect(await failureOf(commit(call, ref))).toMatchObject({ errorClass: 'transient', info: { operator: true } })
  expect(site.effects.map(({ action }) => action)).not.toContain('PUT /upload/youtube/v3/videos')
})

test.each([
  ['in winter', '2026-11-22T07:59:30Z', 30],
  ['at midnight', '2026-11-22T08:00:00Z', 86_400],
  ['in summer', '2026-07-01T06:00:00Z', 3600],
  ['before the night that has an hour more', '2026-11-01T07:00:01Z', 25 * 3600 - 1],
  ['before the night that has an hour less', '2026-03-08T08:00:01Z', 23 * 3600 - 1],
])('the quota resets at midnight in California: %s', (_, moment, seconds) => {
  expect(secondsToPacificMidnight(Date.parse(moment))).toBe(seconds)
})
