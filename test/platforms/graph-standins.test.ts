import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { facebookSeed } from '../../infra/local/platforms/facebook.ts'
import { instagramSeed } from '../../infra/local/platforms/instagram.ts'
import { threadsSeed } from '../../infra/local/platforms/threads.ts'
import { facebook as facebookConnector } from '../../shared/platforms/facebook/connect.ts'
import { facebook } from '../../shared/platforms/facebook/publish.ts'
import { instagram as instagramConnector } from '../../shared/platforms/instagram/connect.ts'
import { instagram } from '../../shared/platforms/instagram/publish.ts'
import { threads as threadsConnector } from '../../shared/platforms/threads/connect.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { dayMs } from '../../shared/time.ts'
import { startGraphSite } from './graph-site.ts'

// What the adapters are judged by must itself be strict: these calls come from no adapter.

type Site = Awaited<ReturnType<typeof startGraphSite>>
type Fields = Record<string, string>

const start = async (...of: Parameters<typeof startGraphSite>): Promise<Site> => {
  const site = await startGraphSite(...of)
  onTestFinished(site.close)
  return site
}

const MetaResponse = z.object({
  error: z.optional(z.object({ code: z.number(), error_subcode: z.optional(z.number()) })),
  id: z.optional(z.string()),
})

/** A raw call; returns its status, or Meta's numbers where it is refused. */
async function call(site: Site, id: string, path: string, fields: Fields, headers: Fields = {}) {
  const body = new URLSearchParams(fields)
  const answer = await fetch(`${site.platforms.urls[id]}${path}`, { method: 'POST', body, headers })
  const { error, id: made } = z.parse(MetaResponse, await answer.json())
  const refused = error?.error_subcode === undefined ? String(error?.code) : `${error.code}/${error.error_subcode}`
  return { code: error ? refused : answer.status, made: made ?? '' }
}

const tokenOf = async (site: Site) => String((await site.open()).account.credentials['accessToken'])

test('Threads: forms alone, its own fields, one token for one person, a day for a container', async () => {
  const [person, second] = threadsSeed.people
  const site = await start('threads', threads, threadsConnector)
  const access_token = await tokenOf(site)
  const make = (fields: Fields, user: string = person.id, headers?: Fields) =>
    call(site, 'threads', `/v1.0/${user}/threads`, { access_token, ...fields }, headers)
  const text = { media_type: 'TEXT', text: 'Hi' }
  expect((await make(text)).code).toBe(200)
  expect((await make(text, 'me')).code).toBe(200)
  expect((await make(text, second.id)).code).toBe('100/33')
  expect((await make({ ...text, access_token: 'stolen' })).code).toBe('190/467')
  expect((await make({ ...text, color: 'red' })).code).toBe('100')
  expect((await make({ media_type: 'TEXT' })).code).toBe('100')
  expect((await make({ media_type: 'CAROUSEL', children: '1' })).code).toBe('100')
  expect((await make({ media_type: 'CAROUSEL', children: '1,2' })).code).toBe('100/33')
  expect((await make({ media_type: 'IMAGE', image_url: 'http://127.0.0.1:1/x' })).code).toBe('100')
  expect((await make(text, person.id, { 'content-type': 'application/json' })).code).toBe('100')
  expect(
    (await make({ ...text, text: Array.from({ length: 6 }, (_, n) => `https://x.test/${n}`).join(' ') })).code,
  ).toBe('100')
  const { made } = await make(text)
  const publish = (creation_id: string) =>
    call(site, 'threads', `/v1.0/${person.id}/threads_publish`, { access_token, creation_id })
  expect((await publish('1')).code).toBe('100/33')
  site.pass(dayMs)
  expect((await publish(made)).code).toBe('24/4279009')
})

test('Instagram: what each format takes, finished children, and a hundred posts a day', async () => {
  const [person] = instagramSeed.people
  const site = await start('instagram', instagram, instagramConnector)
  const access_token = await tokenOf(site)
  const make = (fields: Fields) => call(site, 'instagram', `/v25.0/${person.id}/media`, { access_token, ...fields })
  const publish = (creation_id: string) =>
    call(site, 'instagram', `/v25.0/${person.id}/media_publish`, { access_token, creation_id })
  const [picture, movie] = [await site.files.jpeg(), await site.files.mp4()]
  const at = (key: string) => `${site.ctx().env('MEDIA_URL')}/${key}`
  const image = { image_url: at(picture.storageKey) }
  const reel = { media_type: 'REELS', video_url: at(movie.storageKey) }
  expect((await make({ ...image, caption: 'x'.repeat(2201) })).code).toBe('100/2207010')
  expect((await make({ ...image, caption: '#a #b #c #d #e #f' })).code).toBe('100/2207010')
  expect((await make({ ...image, caption: '@a '.repeat(21) })).code).toBe('100/2207040')
  expect((await make({ ...image, collaborators: 'ann' })).code).toBe('100')
  expect((await make({ ...image, collaborators: '["a","b","c","d"]' })).code).toBe('100')
  expect((await make({ ...image, media_type: 'STORIES', caption: 'x' })).code).toBe('100')
  expect((await make({ ...reel, alt_text: 'x' })).code).toBe('100')
  expect((await make({ ...reel, thumb_offset: '1.5' })).code).toBe('100')
  expect((await make({ media_type: 'VIDEO', video_url: at(movie.storageKey) })).code).toBe('100')
  expect((await make({ media_type: 'ALBUM' })).code).toBe('100/2207023')
  expect((await make({ image_url: at(movie.storageKey) })).code).toBe('36001/2207005')
  const [child, other] = [
    await make({ ...image, is_carousel_item: 'true' }),
    await make({ ...image, is_carousel_item: 'true' }),
  ]
  const carousel = { media_type: 'CAROUSEL', children: `${child.made},${other.made}` }
  expect((await make(carousel)).code).toBe('9007/2207027')
  expect((await make({ media_type: 'CAROUSEL', children: child.made })).code).toBe('100/2207028')
  site.pass(10_000)
  expect((await make(carousel)).code).toBe(200)
  expect((await publish(child.made)).code).toBe('100/33')
  const { made } = await make(image)
  expect((await publish(made)).code).toBe('9007/2207027')
  site.pass(dayMs)
  expect((await publish(made)).code).toBe('-2/2207020')
  for (let n = 0; n < 100; n += 1) {
    const story = await make({ media_type: 'STORIES', ...image })
    site.pass(10_000)
    expect((await publish(story.made)).code).toBe(200)
  }
  const last = await make(image)
  site.pass(10_000)
  expect((await publish(last.made)).code).toBe('9/2207042')
})

test('Facebook: proven calls, a link or photos, a photo once, no words twice', async () => {
  const page = facebookSeed.pages[0].id
  const site = await start('facebook', facebook, facebookConnector)
  const access_token = await tokenOf(site)
  const appsecret_proof = createHmac('sha256', facebookSeed.clientSecret).update(access_token).digest('hex')
  const post = (door: string, fields: Fields) =>
    call(site, 'facebook', `/v25.0/${page}/${door}`, { access_token, appsecret_proof, ...fields })
  const { storageKey } = await site.files.jpeg()
  const photo = { url: `${site.ctx().env('MEDIA_URL')}/${storageKey}`, published: 'false' }
  expect((await post('feed', { message: 'Hi', appsecret_proof: 'none' })).code).toBe('100')
  expect((await post('feed', { message: 'Hi' })).code).toBe(200)
  expect((await post('feed', { message: 'Hi' })).code).toBe('506')
  expect((await post('feed', {})).code).toBe('100')
  expect((await post('feed', { message: 'x'.repeat(63_207) })).code).toBe('100')
  expect((await post('feed', { message: 'x', color: 'red' })).code).toBe('100')
  expect((await post('feed', { link: 'nowhere' })).code).toBe('100/1609005')
  expect((await post('photos', { ...photo, published: 'true' })).code).toBe('100')
  const { made } = await post('photos', photo)
  const attached = { 'attached_media[0]': JSON.stringify({ media_fbid: made }) }
  expect((await post('feed', { ...attached, link: 'https://x.test' })).code).toBe('100')
  expect((await post('feed', { 'attached_media[0]': made })).code).toBe('100')
  expect((await post('feed', attached)).code).toBe(200)
  expect((await post('feed', attached)).code).toBe('100/1366051')
  const old = await post('photos', photo)
  site.pass(dayMs + 1)
  expect((await post('feed', { 'attached_media[0]': JSON.stringify({ media_fbid: old.made }) })).code).toBe('100/33')
})

test('Facebook and Instagram: fields in JSON, in the query, and in forms, and each version that there is', async () => {
  const page = facebookSeed.pages[0].id
  const site = await start('facebook', facebook, facebookConnector)
  const access_token = await tokenOf(site)
  const appsecret_proof = createHmac('sha256', facebookSeed.clientSecret).update(access_token).digest('hex')
  const send = async (path: string, sent: RequestInit) => {
    const answer = await fetch(`${site.platforms.urls['facebook']}${path}`, sent)
    return { status: answer.status, body: z.parse(z.looseObject({ id: z.optional(z.string()) }), await answer.json()) }
  }
  const json = (fields: object, version = 'v25.0', door = 'feed') =>
    send(`/${version}/${page}/${door}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token, appsecret_proof, ...fields }),
    })
  const id = expect.stringMatching(`^${page}_`)
  expect(await json({ message: 'In JSON' })).toMatchObject({ status: 200, body: { id } })
  expect(await json({ message: 'Hi', appsecret_proof: 'none' })).toMatchObject({ body: { error: { code: 100 } } })
  expect(await json({ message: 'Hi', color: 'red' })).toMatchObject({ body: { error: { code: 100 } } })
  const { storageKey } = await site.files.jpeg()
  const url = `${site.ctx().env('MEDIA_URL')}/${storageKey}`
  const photo = await json({ url, published: false }, 'v25.0', 'photos')
  expect(await json({ attached_media: [{ media_fbid: photo.body.id }] })).toMatchObject({ body: { id } })
  expect(await json({ attached_media: 'none' })).toMatchObject({ body: { error: { code: 100 } } })
  const started = await json({ upload_phase: 'start' }, 'v27.0', 'video_reels')
  expect(started.body).toMatchObject({ video_id: expect.any(String), upload_url: expect.any(String) })
  expect(await json({ upload_phase: 'middle' }, 'v27.0', 'video_reels')).toMatchObject({ status: 400 })
  const query = new URLSearchParams({ access_token, appsecret_proof, message: 'In the query' })
  expect(await send(`/v25.0/${page}/feed?${query}`, { method: 'POST' })).toMatchObject({ body: { id } })
  for (const version of ['v27.0', 'v26.0', 'v21.0', 'v3.0']) {
    expect(await json({ message: version }, version)).toMatchObject({ status: 200 })
  }
  for (const version of ['v28.0', 'v1.0', 'v25.1', 'v0.0']) {
    expect(await json({ message: version }, version)).toMatchObject({ status: 404, body: { error: { code: 2500 } } })
  }
  const secrets = new URLSearchParams({ access_token, appsecret_proof, fields: 'category,link,name' })
  expect(await send(`/v26.0/${page}?${secrets}`, {})).toMatchObject({
    body: { category: 'Bakery', link: 'https://www.facebook.com/demo.bakery', name: 'Demo Bakery' },
  })
  const other = await startGraphSite('instagram', instagram, instagramConnector)
  onTestFinished(other.close)
  const token = await tokenOf(other)
  const picture = await other.files.jpeg()
  const sent = { access_token: token, image_url: `${other.ctx().env('MEDIA_URL')}/${picture.storageKey}` }
  const made = await fetch(`${other.platforms.urls['instagram']}/v27.0/${instagramSeed.people[0].id}/media`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sent, is_carousel_item: true }),
  })
  expect(await made.json()).toMatchObject({ id: expect.any(String) })
})
