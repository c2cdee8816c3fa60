import { expect, test } from 'vitest'
import { reddit } from '../../shared/platforms/reddit/publish.ts'
import { flairId, posted, visitReddit } from './reddit-visit.ts'
import { failureOf, png } from './site.ts'

const { site, platforms, open, prepared, publish, armed, sent, formOf, fault } = await visitReddit()

test('a crosspost names its post, and is found by its title', async () => {
  const { id: original, url: shown } = await publish(await open({ title: 'The first' }))
  const crosspost = { kind: 'crosspost', crosspostFullname: original, body: '' }
  const call = await open({ ...crosspost, subreddit: 'flaired', flairId, nsfw: true }, { text: '' })
  const attempt = await armed(call)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await publish(call)
  expect(sent('create').at(-1)).toMatchObject({ method: 'POST', path: '/api/submit' })
  expect(formOf('create')).toEqual({
    api_type: 'json',
    kind: 'crosspost',
    sr: 'flaired',
    title: 'A cake in May',
    crosspost_fullname: original,
    sendreplies: 'true',
    nsfw: 'true',
    spoiler: 'false',
    flair_id: flairId,
  })
  expect(platforms.published()[1]).toMatchObject({ text: 'A cake in May', extras: [`crosspost of ${shown}`] })
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  const missing = await open({ ...crosspost, crosspostFullname: 't3_nowhere' }, { text: '' })
  expect(await failureOf(publish(missing))).toMatchObject({ errorClass: 'invalid' })
})

test('submits a poll as JSON, and finds it by its title', async () => {
  const poll = { options: ['Rye', 'Spelt'], durationDays: 3 }
  const block = { subreddit: 'r/flaired', poll, flairId, nsfw: true, sendReplies: false }
  const call = await open(block, { text: 'Eggs & <flour>' })
  const attempt = await armed(call)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await publish(call)
  expect(sent('create')).toMatchObject([
    { method: 'POST', path: '/api/submit_poll_post', headers: { 'content-type': 'application/json' } },
  ])
  expect(JSON.parse(String(sent('create')[0]?.body))).toEqual({
    api_type: 'json',
    sr: 'flaired',
    title: 'A cake in May',
    text: 'Eggs & <flour>',
    options: ['Rye', 'Spelt'],
    duration: 3,
    sendreplies: false,
    nsfw: true,
    spoiler: false,
    resubmit: false,
    validate_on_submit: true,
    flair_id: flairId,
  })
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ text: 'A cake in May\n\nEggs & <flour>', extras: ['poll: Rye | Spelt (3 days)'] })
  expect(landed).toEqual({ id: expect.stringMatching(/^t3_/), url: shown?.url })
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  fault(posted('RATELIMIT', 'Take a break for 8 minutes before trying again.'))
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'rate', info: { retryAfterSeconds: 480 } })
})

const gallery = { kind: 'image', format: 'gallery' }

test('uploads the images of a gallery ahead, and submits them as JSON', async () => {
  const two = Buffer.concat([png, png])
  const media = [await site.file(), await site.file({}, two)]
  const call = await open({ ...gallery, captions: ['The dough'] }, { text: ' ', media })
  const attempt = await armed(call)
  expect(sent('upload')).toHaveLength(2)
  expect(platforms.published()).toEqual([])
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await reddit.commit(call, attempt.ref, 'unused', undefined)
  expect(sent('create')).toMatchObject([
    { method: 'POST', path: '/api/submit_gallery_post.json', headers: { 'content-type': 'application/json' } },
  ])
  const id = expect.stringMatching(/^[0-9a-f]{16}$/)
  expect(JSON.parse(String(sent('create')[0]?.body))).toEqual({
    api_type: 'json',
    sr: 'test',
    title: 'A cake in May',
    items: [
      { media_id: id, caption: 'The dough', outbound_url: '' },
      { media_id: id, caption: '', outbound_url: '' },
    ],
    sendreplies: true,
    nsfw: false,
    spoiler: false,
    validate_on_submit: true,
    show_error_list: true,
  })
  const [shown] = platforms.published()
  expect(landed).toEqual({ id: expect.stringMatching(/^t3_/), url: shown?.url })
  const bytes = await Promise.all((shown?.media ?? []).map(async (url) => (await fetch(url)).arrayBuffer()))
  expect(bytes.map((file) => Buffer.from(file))).toEqual([png, two])
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  await publish(await open(gallery, { text: 'Baked', media }))
  expect(JSON.parse(String(sent('create')[1]?.body))).toMatchObject({ text: 'Baked' })
})

test('uploads a large gallery in phases, each image once', async () => {
  const large = () => site.file({}, Buffer.alloc(20_000_001))
  const media = [await large(), await large(), await large()]
  const call = await open(gallery, { media })
  const first = await reddit.prepare?.(call, undefined)
  if (!first || !('waitSeconds' in first)) throw new Error('expected another phase')
  expect(sent('upload')).toHaveLength(2)
  expect(await reddit.prepare?.(call, first.resume)).toMatchObject({ ready: { json: { items: [{}, {}, {}] } } })
  expect(sent('upload')).toHaveLength(3)
})

test('a lease without an ID is transient for a gallery', async () => {
  const call = await open(gallery, { media: [await site.file(), await site.file()] })
  const args = {
    action: `${platforms.urls['reddit']?.replace('http:', '')}/bucket`,
    fields: [{ name: 'key', value: 'k' }],
  }
  fault({ fault: 'status', status: 200, operation: 'lease', body: { args } })
  fault({ fault: 'status', status: 201, operation: 'upload', body: '' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
})
