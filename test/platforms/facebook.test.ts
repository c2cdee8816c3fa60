import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { facebookSeed } from '../../infra/local/platforms/facebook.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { facebook as connector } from '../../shared/platforms/facebook/connect.ts'
import { facebook } from '../../shared/platforms/facebook/publish.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'
import { transportFaults } from './transport-faults.ts'

const site = await startGraphSite('facebook', facebook, connector)
const { platforms, files, fault } = site
const page = facebookSeed.pages[0].id

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const addressOf = ({ storageKey }: MediaFile) => `${site.ctx().env('MEDIA_URL')}/${storageKey}`
const proofOf = (token: unknown) => createHmac('sha256', facebookSeed.clientSecret).update(String(token)).digest('hex')
const created = () => site.golden('create').map(({ fields }) => fields)

test('publishes a text with one call and an app secret proof', async () => {
  const call = await site.open({ text: 'Grüße 👋🏽' })
  const { ready, expiresAtMs } = await site.prepare(call)
  expect(expiresAtMs).toBe(site.now() + 20 * 3_600_000)
  const { id, url } = await facebook.commit(call, ready, 'key', undefined)
  expect(id).toMatch(new RegExp(`^${page}_\\d+$`))
  expect(platforms.published()).toMatchObject([
    { platform: 'facebook', account: 'Demo Bakery', text: 'Grüße 👋🏽', url },
  ])
  const appsecret_proof = proofOf(call.account.credentials['accessToken'])
  expect(site.golden('create')).toEqual([
    { method: 'POST', path: `/v25.0/${page}/feed`, fields: { message: 'Grüße 👋🏽', appsecret_proof } },
  ])
  expect(site.calls().at(-1)?.query).toBe('fields=id%2Cpermalink_url')
  const effectsJson = JSON.stringify(site.effects)
  for (const secret of [facebookSeed.clientSecret, appsecret_proof, String(call.account.credentials['accessToken'])]) {
    expect(effectsJson).not.toContain(secret)
  }
})

test.each([
  ['a link', 'See https://example.com/a_(b).', 'https://example.com/a_(b)'],
  ['a link in brackets', 'See (https://example.com/a)!', 'https://example.com/a'],
  ['a link alone', 'https://example.com/?q=1&r=2', 'https://example.com/?q=1&r=2'],
])('the request names %s alongside the text', async (_, text, link) => {
  await site.publish(await site.open({ text }))
  expect(created()).toEqual([{ message: text, link, appsecret_proof: expect.any(String) }])
})

test('uploads photos unpublished, then publishes them in order with one call', async () => {
  const [first, other] = [await files.jpeg({ altText: 'a cake' }), await files.png()]
  const call = await site.open({ text: 'Two https://example.com', media: [first, other] })
  const { ready } = await site.prepare(call)
  expect(platforms.published()).toEqual([])
  expect(site.golden('upload')).toEqual(
    expect.arrayContaining([
      {
        method: 'POST',
        path: `/v25.0/${page}/photos`,
        fields: {
          url: addressOf(first),
          published: 'false',
          alt_text_custom: 'a cake',
          appsecret_proof: expect.any(String),
        },
      },
      {
        method: 'POST',
        path: `/v25.0/${page}/photos`,
        fields: { url: addressOf(other), published: 'false', appsecret_proof: expect.any(String) },
      },
    ]),
  )
  await facebook.commit(call, ready, 'key', undefined)
  const [photo, another] = z.parse(z.array(z.string()), ready['photos'])
  expect(created()).toEqual([
    {
      message: 'Two https://example.com',
      'attached_media[0]': `{"media_fbid":"${photo}"}`,
      'attached_media[1]': `{"media_fbid":"${another}"}`,
      appsecret_proof: expect.any(String),
    },
  ])
  const types = await Promise.all(
    (platforms.published()[0]?.media ?? []).map(async (url) => (await fetch(url)).headers.get('content-type')),
  )
  expect(types).toEqual(['image/jpeg', 'image/png'])
})

test('publishes a single photo without text the same way', async () => {
  await site.publish(await site.open({ text: '', media: [await files.jpeg()] }))
  expect(created()).toEqual([{ 'attached_media[0]': expect.any(String), appsecret_proof: expect.any(String) }])
})

test('retries a photo that cannot be fetched, and rejects one that Facebook does not accept', async () => {
  const missing = { ...(await files.jpeg()), storageKey: 'media/uploads/ws_1/gone' }
  expect(await failureOf(site.prepare(await site.open({ media: [missing] })))).toMatchObject({
    errorClass: 'transient',
  })
  const gif = await files.gif()
  expect(await failureOf(site.prepare(await site.open({ media: [gif] })))).toMatchObject({
    errorClass: 'invalid',
    info: { code: '1/1366046' },
  })
})

test.each([
  ['a limit with its end', { fault: 'rate_limited', retryAfterSeconds: 700 }, 'rate', { retryAfterSeconds: 720 }],
  ['a limit of the page', metaError(32), 'rate', { retryAfterSeconds: 900 }],
  ['a limit of pages', metaError(80001), 'rate', {}],
  ['too fast', metaError(1, 1390008), 'rate', { retryAfterSeconds: 900 }],
  ['an expired token', metaError(190, 463), 'auth', {}],
  ['a lost role', metaError(190, 492), 'auth', {}],
  ['a missing permission', metaError(200, undefined, '(#200) requires pages_manage_posts'), 'permission', {}],
  ['283', metaError(283), 'permission', {}],
  ['a block', metaError(368, 1390008), 'rate', {}],
  ['an abusive post', metaError(368), 'blocked', {}],
  ['a blocked page', metaError(1, 1346003), 'blocked', {}],
  ['an authorization to give', metaError(1, 1404078), 'blocked', {}],
  ['a limited account', metaError(1, 1404112), 'blocked', {}],
  ['an identity to confirm', metaError(1, 4854002), 'blocked', {}],
  ['a repeat', metaError(506), 'duplicate', {}],
  ['a link that cannot be read', metaError(1, 1609005), 'invalid', {}],
  ['a link that is not allowed', metaError(100, 1609008), 'invalid', {}],
  ['a bad address', metaError(100, 2061006), 'invalid', {}],
  ['a photo posted already', metaError(100, 1366051), 'unknown', {}],
  ['a temporary trouble', metaError(2), 'unknown', {}],
  ['another one', metaError(100, 1363047), 'unknown', {}],
  ...transportFaults,
] as const)('the publication meets %s', async (_, script, errorClass, info) => {
  const call = await site.open()
  const { ready } = await site.prepare(call)
  fault(script)
  expect(await failureOf(facebook.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass, info })
  expect(platforms.published()).toEqual([])
})

test('a temporary upload failure is transient', async () => {
  for (const script of [metaError(1), metaError(100, 1609010), metaError(100, undefined, 'Could not fetch the url')]) {
    fault({ ...script, operation: 'upload' })
    const call = await site.open({ media: [await files.jpeg()] })
    expect(await failureOf(site.prepare(call))).toMatchObject({ errorClass: 'transient' })
  }
})

test('"not found" on the path of the page is about the page only if its token no longer sees it', async () => {
  const call = await site.open()
  const { ready } = await site.prepare(call)
  const commit = () => failureOf(facebook.commit(call, ready, 'key', undefined))
  fault(metaError(100, 33))
  expect(await commit()).toMatchObject({ errorClass: 'invalid', info: { code: '100/33' } })
  fault(metaError(100, 33))
  fault({ ...metaError(100, 33), operation: 'page' })
  expect(await commit()).toMatchObject({ errorClass: 'permission', message: expect.stringContaining('Reconnect') })
})

test('reconciles a lost response by the published text or photos of the Page', async () => {
  for (const media of [[], [await files.jpeg()], [await files.jpeg(), await files.png()]]) {
    const call = await site.open({ text: ` Lost ${media.length} `, media })
    const attempt = await site.armed(call)
    expect(await facebook.probe(call, attempt)).toEqual({ kind: 'absent' })
    fault({ fault: 'landed_then_reset' })
    expect(await failureOf(facebook.commit(call, attempt.ref, 'key', undefined))).toMatchObject({
      errorClass: 'unknown',
    })
    const { url } = platforms.published().at(-1) ?? {}
    const changed = { ...call, post: { ...call.post, text: 'other' } }
    expect(await facebook.probe(changed, attempt)).toEqual({ kind: 'published', id: expect.any(String), url })
  }
  const [read] = site.golden('read')
  expect(read).toEqual({
    method: 'GET',
    path: `/v25.0/${page}/published_posts`,
    fields: {
      fields: 'id,from,message,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}',
      since: String(site.now() / 1000 - 60),
      limit: '100',
      appsecret_proof: expect.any(String),
    },
  })
})

test('ignores the same text with other photos, or of an earlier time', async () => {
  const before = await site.open({ text: 'Same', media: [await files.jpeg()] })
  await site.publish(before)
  const call = await site.open({ text: 'Same', media: [await files.jpeg()] })
  expect(await facebook.probe(call, await site.armed(call))).toEqual({ kind: 'absent' })
  const textPost = await site.open({ text: 'Same' })
  site.pass(120_000)
  expect(await facebook.probe(textPost, await site.armed(textPost))).toEqual({ kind: 'absent' })
})

test('a visitor’s post with the same text does not count as published', async () => {
  const call = await site.open({ text: 'Good morning' })
  const attempt = await site.armed(call)
  platforms.crowd('facebook', `${page}/visitors`, 1)
  const { url } = platforms.published().at(-1) ?? {}
  expect(url).toBeDefined()
  const visitors = { ...attempt, ref: { ...attempt.ref, text: 'other 0' } }
  expect(await facebook.probe(call, visitors)).toEqual({ kind: 'absent' })
  // Should they be listed all the same, who wrote it decides.
  const created_time = new Date(site.now()).toISOString()
  const theirs = { id: '1_9', from: { id: '10200000000000009' }, message: 'Good morning', created_time }
  fault({ operation: 'read', fault: 'status', status: 200, body: { data: [theirs] } })
  expect(await facebook.probe(call, attempt)).toEqual({ kind: 'absent' })
})

test('a list that is too long or unreadable is unclear', async () => {
  const call = await site.open({ text: 'Mine' })
  const attempt = await site.armed(call)
  const created_time = new Date(site.now()).toISOString()
  const answer = (data: object[], paging: object = {}) => {
    fault({ operation: 'read', fault: 'status', status: 200, times: 10, body: { data, paging } })
    return facebook.probe(call, attempt)
  }
  const other = (n: number) => ({ id: `${n}`, message: 'theirs', created_time })
  const hundred = Array.from({ length: 100 }, (_, n) => other(n))
  expect(await answer(hundred)).toEqual({ kind: 'absent' })
  platforms.faults.clear()
  expect(await answer(hundred, { cursors: { after: 'x' }, next: 'https://graph.test/more' })).toEqual({
    kind: 'unclear',
  })
  expect(platforms.faults.pending()).toEqual([])
  const mine = { id: '1_2', message: 'Mine', created_time }
  expect(await answer([mine])).toEqual({ kind: 'published', id: '1_2', url: 'https://www.facebook.com/1_2' })
  platforms.faults.clear()
  expect(await answer([mine, { ...mine, id: '1_3' }])).toEqual({ kind: 'published', id: null, url: null })
  platforms.faults.clear()
  for (const script of [{ fault: 'html_503' as const }, metaError(190), metaError(4)]) {
    fault({ ...script, operation: 'read' })
    expect(await probeOnce('facebook', call, attempt)).toEqual({ kind: 'unclear' })
  }
})
