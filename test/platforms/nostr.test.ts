import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { nostrSeed } from '../../infra/local/platforms/nostr.ts'
import { neventOf, npubOf, readEventName, readLink } from '../../shared/platforms/nostr/keys.ts'
import { nostr } from '../../shared/platforms/nostr/publish.ts'
import { visitNostr } from './nostr-visit.ts'
import { failureOf, png } from './site.ts'

const { site, platforms, origin, relay, person, calls, open, publish, prepared, commit, sent, probe } =
  await visitNostr()
const [, second] = nostrSeed.people
const second0 = Math.floor(site.now() / 1000)
const urlOf = (id: string) => `https://njump.me/${neventOf({ id, relays: [relay], author: person.publicKey })}`

test('publishes a text as one signed event, with the second of the post', async () => {
  const call = await open({ text: 'Grüße 👋🏽 #Brot, #brot und #Käse https://a.example/#top' })
  const { ready, expiresAtMs } = await prepared(call)
  expect(expiresAtMs).toBe(site.now() + 12 * 3_600_000)
  const landed = await commit(call, ready)
  const [event, ...more] = sent()
  expect(more).toEqual([])
  expect(event).toEqual({
    id: landed.id,
    pubkey: person.publicKey,
    created_at: second0,
    kind: 1,
    tags: [
      ['t', 'brot'],
      ['t', 'käse'],
    ],
    content: 'Grüße 👋🏽 #Brot, #brot und #Käse https://a.example/#top',
    sig: expect.any(String),
  })
  expect(landed).toEqual({ id: expect.stringMatching(/^[\da-f]{64}$/), url: urlOf(String(landed.id)) })
  expect(platforms.published()).toMatchObject([
    { account: person.npub, text: call.post.text, url: landed.url, replyTo: null },
  ])
  expect(site.effects.filter(({ action }) => action.startsWith('EVENT'))).toEqual([
    { service: 'nostr', action: 'EVENT 1', resource: relay },
  ])
})

test('uploads files to the media server, and lists them in tags', async () => {
  const media = [
    await site.file({ width: 1, height: 1, altText: 'One\ndot' }),
    await site.file({}, Buffer.concat([png, png])),
  ]
  const landed = await publish(await open({ text: 'Look', media }))
  const hashes = [png, Buffer.concat([png, png])].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const uploads = calls('upload')
  expect(uploads.map(({ headers }) => headers['x-sha-256']).toSorted()).toEqual(hashes.toSorted())
  const token = Buffer.from(String(uploads[0]?.headers['authorization']).slice('Nostr '.length), 'base64').toString()
  expect(JSON.parse(token)).toMatchObject({
    kind: 24_242,
    pubkey: person.publicKey,
    created_at: second0,
    content: 'Upload',
    tags: [
      ['t', 'upload'],
      ['x', uploads[0]?.headers['x-sha-256']],
      ['expiration', String(second0 + 600)],
      ['server', 'media.nostr.test'],
    ],
  })
  const urls = hashes.map((hash) => `${origin}/${hash}.png`)
  expect(sent()).toMatchObject([
    {
      content: `Look\n${urls[0]}\n${urls[1]}`,
      tags: [
        ['imeta', `url ${urls[0]}`, 'm image/png', 'dim 1x1', 'alt One dot', `x ${hashes[0]}`],
        ['imeta', `url ${urls[1]}`, 'm image/png', `x ${hashes[1]}`],
      ],
    },
  ])
  expect(platforms.published()).toMatchObject([{ text: 'Look', url: landed.url }])
  expect(platforms.published()[0]?.media).toHaveLength(2)
})

test('the proof of an upload reads the same in both forms of Base64', async () => {
  for (let n = 0; n < 20; n += 1) {
    await publish(await open({ media: [await site.file({}, Buffer.concat([png, Buffer.from([n])]))] }))
    const token = String(calls('upload')[0]?.headers['authorization'])
    expect(token).toMatch(/^Nostr [A-Za-z\d]+$/)
    expect((token.length - 'Nostr '.length) % 4).toBe(0)
  }
})

test('people and posts that a text links to become tags', async () => {
  const post = 'ab'.repeat(32)
  const quoted = neventOf({ id: post, relays: ['wss://a.example'], author: second.publicKey })
  await publish(await open({ text: `Hi nostr:${second.npub}, see nostr:${quoted} and nostr:npub1wrong` }))
  expect(sent()[0]?.tags).toEqual([
    ['p', second.publicKey],
    ['q', post, 'wss://a.example', second.publicKey],
  ])
})

test('sends every field of the metadata', async () => {
  const parent = await publish(await open({ text: 'First' }, { secretKey: second.nsec }))
  const id = String(parent.id)
  const quote = neventOf({ id: 'cd'.repeat(32), relays: [] })
  const metadata = { contentWarning: 'Bread ahead', replyTo: `nostr:${neventOf({ id, relays: [relay] })}`, quote }
  const call = await open({ text: 'All', metadata })
  await publish(await open({ text: 'First' }, { secretKey: second.nsec }))
  await publish(call)
  expect(sent().at(-1)).toMatchObject({
    content: `All\nnostr:${quote}`,
    tags: [
      ['e', id, relay, 'root', second.publicKey],
      ['p', second.publicKey],
      ['q', 'cd'.repeat(32), ''],
      ['content-warning', 'Bread ahead'],
    ],
  })
  expect(platforms.published().at(-1)?.extras).toEqual([`quotes ${'cd'.repeat(32)}`, 'warning: Bread ahead'])
})

test('a post to reply to that no relay has is an error of its field', async () => {
  const error = await failureOf(prepared(await open({ metadata: { replyTo: 'ef'.repeat(32) } })))
  expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('metadata.nostr.replyTo') })
})

test('replies name the first post of their thread and the one before, each a second later', async () => {
  const first = await publish(await open({ text: 'One' }))
  const call = await open({ text: 'x' })
  const [id] = [String(first.id)]
  await publish({ ...call, post: site.post({ text: 'One' }) })
  const next = await publish({ ...call, post: site.post({ text: 'Two', replyTo: id }) })
  const last = await publish({ ...call, post: site.post({ text: 'Three', replyTo: String(next.id) }) })
  expect(sent().map(({ created_at, tags }) => ({ created_at, tags }))).toEqual([
    { created_at: second0, tags: [] },
    { created_at: second0 + 1, tags: [['e', id, relay, 'root', person.publicKey]] },
    {
      created_at: second0 + 2,
      tags: [
        ['e', id, relay, 'root', person.publicKey],
        ['e', next.id, relay, 'reply', person.publicKey],
      ],
    },
  ])
  expect(platforms.published().map(({ url, replyTo }) => [url, replyTo])).toEqual([
    [first.url, null],
    [next.url, first.url],
    [last.url, next.url],
  ])
})

test('a reply to a post that no relay shows is tried again', async () => {
  const call = await open({ text: 'x', replyTo: 'ab'.repeat(32) })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'transient' })
  expect(sent()).toEqual([])
})

test('the same event is stored once, and found by its ID', async () => {
  const call = await open({ text: 'Once' })
  const { ready } = await prepared(call)
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  const landed = await commit(call, ready)
  expect(await commit(call, ready)).toEqual(landed)
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...landed })
  expect(platforms.published()).toHaveLength(1)
  site.pass(1000)
  expect(await probe({ ...call, post: { ...call.post, scheduledAtMs: site.now() } }, ready)).toEqual({ kind: 'absent' })
})

test('a deletion is complete when no relay shows the post, and can be requested again', async () => {
  const call = await open({ text: 'Gone' })
  const { id } = await publish(call)
  await nostr.remove?.(call, String(id))
  expect(sent('delete')).toMatchObject([
    {
      kind: 5,
      content: '',
      tags: [
        ['e', id],
        ['k', '1'],
      ],
    },
  ])
  expect(platforms.published()).toEqual([])
  await nostr.remove?.(call, String(id))
  expect(sent('delete')).toHaveLength(2)
})

test('links are read as the specification has them', () => {
  // The examples of NIP-19.
  const key = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d'
  expect(npubOf(key)).toBe('npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6')
  const profile =
    'nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p'
  expect(readLink(profile)).toEqual({ kind: 'person', id: key, relays: ['wss://r.x.com', 'wss://djbas.sadkb.com'] })
  expect(readEventName(npubOf(key))).toBeUndefined()
  expect(readEventName(key)).toEqual({ kind: 'event', id: key, relays: [] })
})
