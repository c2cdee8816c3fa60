import { afterAll, beforeEach, expect, test } from 'vitest'
import { threads as connector } from '../../shared/platforms/threads/connect.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { dayMs } from '../../shared/time.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'
import { transportFaults } from './transport-faults.ts'

const site = await startGraphSite('threads', threads, connector)
const { platforms, fault } = site
const stuck = { id: '1', status: 'IN_PROGRESS' }

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

test.each([
  ['a limit with its end', { fault: 'rate_limited', retryAfterSeconds: 700 }, 'rate', { retryAfterSeconds: 720 }],
  ['a limit of the user', metaError(17), 'rate', { retryAfterSeconds: 900, code: '17' }],
  ['a limit of the business', metaError(80002), 'rate', { retryAfterSeconds: 900 }],
  ['a limit that calls itself transient', metaError(4, undefined, 'x', { is_transient: true }), 'rate', {}],
  ['an expired token', metaError(190, 463), 'auth', { code: '190/463' }],
  ['a token by its words', metaError(1, undefined, 'Error validating access token: no'), 'auth', {}],
  ['a lost session', metaError(102), 'auth', {}],
  ['401 as a page', { fault: 'status', status: 401, body: '<html>' }, 'auth', { httpStatus: 401 }],
  ['a missing permission', metaError(10), 'permission', {}],
  ['a missing scope', metaError(200), 'permission', { code: '200' }],
  ['the last of the scopes', metaError(299), 'permission', {}],
  ['a capability the app has not got', metaError(3), 'permission', { operator: true }],
  ['300, which is none', metaError(300), 'invalid', {}],
  ['a block', metaError(368), 'blocked', {}],
  ['a restricted account', metaError(24, 4279013), 'blocked', {}],
  ['spam', metaError(4, 2207051), 'blocked', {}],
  ['a repeat', metaError(506), 'duplicate', {}],
  ['a wrong parameter', metaError(100, undefined, 'Param text is bad'), 'invalid', { detail: 'Param text is bad' }],
  ['an unknown number', metaError(31337), 'invalid', {}],
  ['what is not there yet', metaError(24, 4279009), 'transient', {}],
  ['a temporary trouble by its code', metaError(2), 'unknown', {}],
  ['what is not there yet, and says so', metaError(24, 4279009, 'x', { is_transient: true }), 'transient', {}],
  ['a missing permission that passes', metaError(10, undefined, 'x', { is_transient: true }), 'unknown', {}],
  ['a temporary trouble by its flag', metaError(100, undefined, 'x', { is_transient: true }), 'unknown', {}],
  ['a temporary trouble by its subcode', metaError(100, 1363047), 'unknown', {}],
  ['404 as a page', { fault: 'status', status: 404, body: '<html>' }, 'unknown', { httpStatus: 404 }],
  ['another shape', { fault: 'wrong_json' }, 'unknown', { httpStatus: 200 }],
  ...transportFaults,
] as const)('the publication meets %s', async (_, script, errorClass, info) => {
  const call = await site.open()
  const { ready } = await site.prepare(call)
  fault(script.fault === 'wrong_json' ? { ...script, landed: false } : script)
  expect(await failureOf(threads.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass, info })
  expect(platforms.published()).toEqual([])
})

test('a temporary error before publishing is transient', async () => {
  for (const script of [metaError(2), metaError(100, 1609010), { fault: 'reset_before' as const }]) {
    const call = await site.open()
    fault({ ...script, operation: 'upload' })
    expect(await failureOf(site.prepare(call))).toMatchObject({ errorClass: 'transient' })
  }
})

test('removes a token from Meta’s error message', async () => {
  const call = await site.open()
  const token = String(call.account.credentials['accessToken'])
  const { ready } = await site.prepare(call)
  fault(metaError(190, undefined, `Malformed access token ${token}`, { fbtrace_id: 'Atrace' }))
  const error = await failureOf(threads.commit(call, ready, 'key', undefined))
  expect(error.info.detail).toBe('Malformed access token … (fbtrace_id Atrace)')
  expect(JSON.stringify([error.message, error.info])).not.toContain(token)
})

test('publishes a container once: an error is checked against the container', async () => {
  const call = await site.open({ text: 'Once' })
  const { ready } = await site.prepare(call)
  const first = await threads.commit(call, ready, 'key', undefined)
  expect(await threads.commit(call, ready, 'key', undefined)).toEqual(first)
  // A limit that Meta names although it has published.
  const other = await site.open({ text: 'Limited' })
  const { ready: armed } = await site.prepare(other)
  fault({ fault: 'status', status: 400, landed: true, body: metaError(4).body })
  expect(await threads.commit(other, armed, 'key', undefined)).toMatchObject({ url: expect.stringMatching(/^https:/) })
  expect(platforms.published()).toHaveLength(2)
})

test('a rate limit that cannot be verified leaves the outcome unknown', async () => {
  const call = await site.open()
  const { ready } = await site.prepare(call)
  fault(metaError(4))
  fault({ operation: 'status', fault: 'html_503' })
  expect(await failureOf(threads.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass: 'unknown' })
})

test('prepares an expired container again', async () => {
  const call = await site.open()
  const { ready } = await site.prepare(call)
  site.pass(dayMs)
  expect(await failureOf(threads.commit(call, ready, 'key', undefined))).toMatchObject({
    errorClass: 'transient',
    info: { preparedGone: true },
  })
})

test('publishes a post whose URL cannot be read', async () => {
  const call = await site.open()
  const { ready } = await site.prepare(call)
  fault({ operation: 'status', fault: 'html_503' })
  expect(await threads.commit(call, ready, 'key', undefined)).toEqual({
    id: expect.stringMatching(/^\d{17}$/),
    url: null,
  })
})

test('reconciles a lost response by the container', async () => {
  const call = await site.open({ text: ' Lost ' })
  const attempt = await site.armed(call)
  expect(await threads.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(threads.commit(call, attempt.ref, 'key', undefined))).toMatchObject({ errorClass: 'unknown' })
  const [{ url } = { url: '' }] = platforms.published()
  // What the post has become since does not matter.
  const changed = { ...call, post: { ...call.post, text: 'other' } }
  expect(await threads.probe(changed, attempt)).toEqual({ kind: 'published', id: expect.any(String), url })
  fault({ operation: 'read', fault: 'html_503' })
  expect(await threads.probe(call, attempt)).toEqual({ kind: 'published', id: null, url: null })
  for (const broken of [metaError(190), { fault: 'html_503' as const }]) {
    fault({ ...broken, operation: 'status' })
    expect(await probeOnce('threads', call, attempt)).toEqual({ kind: 'unclear' })
  }
  // A container that is not shown: the posts decide.
  fault({ ...metaError(100, 33), operation: 'status' })
  expect(await probeOnce('threads', call, attempt)).toMatchObject({ kind: 'published', url })
  fault({ ...metaError(100, 33), operation: 'status' })
  fault({ operation: 'read', fault: 'html_503' })
  expect(await probeOnce('threads', call, attempt)).toEqual({ kind: 'unclear' })
  fault({ operation: 'status', fault: 'status', status: 200, body: stuck })
  expect(await probeOnce('threads', call, attempt)).toEqual({ kind: 'unclear' })
})

test('two posts with the same text are published without an id', async () => {
  const call = await site.open({ text: 'Twice' })
  const [attempt, other] = [await site.armed(call), await site.armed(call)]
  for (const { ref } of [attempt, other]) await threads.commit(call, ref, 'key', undefined)
  expect(await threads.probe(call, attempt)).toEqual({ kind: 'published', id: null, url: null })
})

test('ignores an older post with the same text', async () => {
  const old = await site.open({ text: 'Again' })
  await site.publish(old)
  site.pass(120_000)
  const call = await site.open({ text: 'Again' })
  const attempt = await site.armed(call)
  const { id, url } = await threads.commit(call, attempt.ref, 'key', undefined)
  expect(await threads.probe(call, attempt)).toEqual({ kind: 'published', id, url })
})
