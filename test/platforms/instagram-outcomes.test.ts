import { afterAll, beforeEach, expect, test } from 'vitest'
import { instagramSeed } from '../../infra/local/platforms/instagram.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { instagram as connector } from '../../shared/platforms/instagram/connect.ts'
import { instagram } from '../../shared/platforms/instagram/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'
import { transportFaults } from './transport-faults.ts'

const site = await startGraphSite('instagram', instagram, connector)
const { platforms, files, fault } = site
const [person] = instagramSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const open = (format: string, media: MediaFile[], more: Partial<OutgoingPost> = {}) =>
  site.open({ media, metadata: { format }, ...more })

test.each([
  ['a download that took too long', metaError(-2, 2207003), 'transient', { preparedGone: true }],
  ['a container that expired', metaError(-2, 2207020), 'transient', { preparedGone: true }],
  ['a container that is gone', metaError(24, 2207006), 'transient', { preparedGone: true }],
  ['a container that was not made', metaError(-1, 2207032), 'transient', { preparedGone: true }],
  ['an upload that failed', metaError(-1, 2207053), 'transient', { preparedGone: true }],
  ['a URI that could not be fetched', metaError(9004, 2207052), 'transient', { preparedGone: true }],
  ['the same without a subcode', metaError(9004), 'transient', { preparedGone: true }],
  ['a trouble with the download', metaError(1, 2207077), 'transient', { preparedGone: true }],
  ['what is not ready', metaError(9007, 2207027), 'transient', {}],
  ['an error of the server', metaError(-1, 2207001), 'unknown', {}],
  ['a container not found for a while', metaError(24, 2207008), 'unknown', {}],
  ['an upload failed for a while', metaError(1, 2207082), 'unknown', {}],
  ['spam', metaError(4, 2207051), 'blocked', {}],
  ['a restricted account', metaError(25, 2207050), 'blocked', {}],
  ['a moment after the end', metaError(1, 2207057), 'invalid', {}],
  ['a caption that is too long', metaError(100, 2207010), 'invalid', {}],
  ['children too few', metaError(100, 2207028), 'invalid', {}],
  ['tags too many', metaError(100, 2207040), 'invalid', {}],
  ['a wrong video', metaError(352, 2207026), 'invalid', {}],
  ['an image too large', metaError(36000, 2207004), 'invalid', {}],
  ['no trial reels', metaError(100, 2207081), 'invalid', {}],
  ['a dead token', metaError(190), 'auth', {}],
  ['a missing permission', metaError(10), 'permission', {}],
  ['a limit', metaError(4), 'rate', { retryAfterSeconds: 900 }],
  ['a limit of the business', metaError(80002), 'rate', {}],
  ...transportFaults,
] as const)('the publication meets %s', async (_, script, errorClass, info) => {
  const call = await open('feed_image', [await files.jpeg()])
  const { ready } = await site.prepare(call)
  fault(script)
  expect(await failureOf(instagram.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass, info })
  expect(platforms.published()).toEqual([])
})

test('reports the usage of the daily limit', async () => {
  const call = await open('feed_image', [await files.jpeg()])
  const { ready } = await site.prepare(call)
  fault(metaError(9, 2207042))
  expect(await failureOf(instagram.commit(call, ready, 'key', undefined))).toMatchObject({
    errorClass: 'quota',
    message: 'Instagram posting limit reached for this account: 0 of 100 posts in 24 hours. Try again later.',
    info: { retryAfterSeconds: 3600, code: '9/2207042' },
  })
  expect(site.golden('quota')).toEqual([
    { method: 'GET', path: `/v25.0/${person.id}/content_publishing_limit`, fields: { fields: 'quota_usage,config' } },
  ])
  fault(metaError(9, 2207042))
  fault({ operation: 'quota', fault: 'html_503' })
  expect(await failureOf(instagram.commit(call, ready, 'key', undefined))).toMatchObject({
    errorClass: 'quota',
    message: 'Instagram daily limit reached for this account. Try again tomorrow.',
  })
})

test('reconciles a lost response by the container, without a second publish call', async () => {
  const call = await open('feed_image', [await files.jpeg()], { text: 'Lost' })
  const attempt = await site.armed(call)
  expect(await instagram.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(instagram.commit(call, attempt.ref, 'key', undefined))).toMatchObject({
    errorClass: 'unknown',
  })
  const [{ url } = { url: '' }] = platforms.published()
  expect(await instagram.probe(call, attempt)).toEqual({ kind: 'published', id: expect.any(String), url })
  expect(await instagram.commit(call, attempt.ref, 'key', undefined)).toEqual({ id: expect.any(String), url })
  expect(platforms.published()).toHaveLength(1)
  for (const state of ['EXPIRED', 'ERROR', 'IN_PROGRESS']) {
    fault({ operation: 'status', fault: 'status', status: 200, body: { id: '1', status_code: state } })
    expect((await instagram.probe(call, attempt)).kind).toBe(state === 'IN_PROGRESS' ? 'unclear' : 'absent')
  }
  fault({ operation: 'status', fault: 'html_503' })
  expect(await probeOnce('instagram', call, attempt)).toEqual({ kind: 'unclear' })
})
