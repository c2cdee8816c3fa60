import { expect, onTestFinished, test } from 'vitest'
import { startPlatforms } from '../../infra/local/platforms/start.ts'
import { definition } from '../../shared/platforms/linkedin/definition.ts'
import { linkedin } from '../../shared/platforms/linkedin/publish.ts'
import { visitLinkedIn } from './linkedin-visit.ts'
import { failureOf } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const { site, platforms, fault, open, prepared, commit } = await visitLinkedIn()

const refusal = (code: string, message = 'in their words') => ({ code, message, status: 400 })

test.each([
  [401, 'EXPIRED_ACCESS_TOKEN', 'auth', {}],
  [401, 'REVOKED_ACCESS_TOKEN', 'auth', {}],
  [403, 'ACCESS_DENIED', 'permission', {}],
  [403, 'FORBIDDEN', 'transient', {}],
  [404, 'NOT_FOUND', 'invalid', {}],
  [409, 'CONFLICT', 'transient', {}],
  [400, 'FIELD_LENGTH_TOO_LONG', 'invalid', { detail: 'in their words' }],
  [422, 'INVALID_VALUE_FOR_FIELD', 'invalid', {}],
  [400, 'MISSING_FIELD', 'invalid', {}],
  [400, 'VERSION_MISSING', 'transient', { operator: true }],
  [426, 'NONEXISTENT_VERSION', 'transient', { operator: true }],
  [429, 'TOO_MANY_REQUESTS', 'rate', { retryAfterSeconds: 60 }],
] as const)('the create meets %s %s', async (status, code, errorClass, info) => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'status', status, body: refusal(code) })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass, info })
})

test.each([
  ...transportFaults,
  ...lostResponses,
  ['200 instead of 201', { fault: 'status', status: 200, body: '' }, 'unknown', { httpStatus: 200 }],
  [
    '"Unable to obtain activity"',
    { fault: 'status', status: 400, body: refusal('', 'Unable to obtain activity') },
    'unknown',
    { httpStatus: 400 },
  ],
] as const)('the outcome of a create that meets %s is unknown', async (_, script, errorClass, info) => {
  const call = await open()
  const { ready } = await prepared(call)
  fault(script)
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass, info })
})

test('a rate limit that lasts is the daily one, until midnight', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  const limited = () => fault({ fault: 'rate_limited' })
  const late = (ms: number) => ({ ...call, post: { ...call.post, scheduledAtMs: site.now() - ms } })
  limited()
  expect(await failureOf(commit(late(55_000), ready))).toMatchObject({ errorClass: 'rate' })
  limited()
  const failure = await failureOf(commit(late(55_001), ready))
  const toMidnight = Math.ceil((86_400_000 - (site.now() % 86_400_000)) / 1000)
  expect(failure.errorClass).toBe('quota')
  expect(failure.info.retryAfterSeconds).toBeGreaterThanOrEqual(toMidnight)
  expect(failure.info.retryAfterSeconds).toBeLessThanOrEqual(toMidnight + 60)
  fault({ operation: 'init', fault: 'rate_limited' })
  const picture = await open({ media: [await site.file()], scheduledAtMs: site.now() - 55_001 })
  expect(await failureOf(prepared(picture))).toMatchObject({ errorClass: 'quota' })
})

test('a rate limit of a comment ends after a minute, however long ago its post was due', async () => {
  const commentCalls = linkedin.commentCalls === 'reply' ? undefined : linkedin.commentCalls
  const call = await open({ replyTo: 'urn:li:share:1', scheduledAtMs: site.now() - 3_600_000 })
  fault({ fault: 'rate_limited', operation: 'comment' })
  expect(await failureOf(Promise.resolve(commentCalls?.commit(call, {}, 'c:1', undefined)))).toMatchObject({
    errorClass: 'rate',
    info: { retryAfterSeconds: 60 },
  })
})

test('the stand-in rejects what LinkedIn rejects', async () => {
  const { account } = await open()
  const author = account.externalId
  const post = async (over: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${platforms.urls['linkedin']}/rest/posts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.credentials['accessToken']}`,
        'linkedin-version': '202607',
        'x-restli-protocol-version': '2.0.0',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({
        author,
        commentary: 'Hi',
        visibility: 'PUBLIC',
        distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
        lifecycleState: 'PUBLISHED',
        isReshareDisabledByAuthor: false,
        ...over,
      }),
    })
    return answer.status
  }
  expect(await post({})).toBe(201)
  expect(await post({})).toBe(422)
  expect(await post({ commentary: '' })).toBe(422)
  expect(await post({ more: 1 })).toBe(422)
  expect(await post({ commentary: 'x'.repeat(3001) })).toBe(400)
  expect(await post({ author: 'urn:li:person:other' })).toBe(403)
  expect(await post({ commentary: 'b', content: { media: { id: 'urn:li:image:none' } } })).toBe(400)
  expect(await post({ commentary: 'c' }, { 'linkedin-version': '209901' })).toBe(426)
  expect(await post({ commentary: 'c' }, { 'x-restli-protocol-version': '1.0.0' })).toBe(400)
  expect(await post({ commentary: 'cut here (and this is lost' })).toBe(201)
  expect(platforms.published().at(-1)?.text).toBe('cut here ')
})

test('the stand-in answers a version for a year, as the platform does, and the pinned one until its end at least', async () => {
  let nowMs = 0
  const aged = await startPlatforms({ clock: { now: () => nowMs }, apisEnd: true })
  onTestFinished(() => aged.close())
  const isAnsweredOn = async (day: string, version: string) => {
    nowMs = Date.parse(day)
    const headers = { 'linkedin-version': version, 'x-restli-protocol-version': '2.0.0' }
    const { status } = await fetch(`${aged.urls['linkedin']}/rest/posts`, { method: 'POST', headers })
    return status !== 426
  }
  const { version, endsOn } = definition.api
  expect([await isAnsweredOn('2026-11-15', '202511'), await isAnsweredOn('2026-11-16', '202511')]).toEqual([
    true,
    false,
  ])
  expect([await isAnsweredOn('2026-06-30', version), await isAnsweredOn('2026-07-01', version)]).toEqual([false, true])
  expect([await isAnsweredOn(endsOn, version), await isAnsweredOn('2027-07-16', version)]).toEqual([true, false])
})
