import { deflateSync } from 'node:zlib'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Buckets, startBuckets } from '../../../infra/local/engines/buckets.ts'
import { type Context, makeContext } from '../../../shared/context.ts'
import type { PlatformCall } from '../../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../../shared/platforms/adapters.ts'
import { connect } from '../../../shared/platforms/bluesky/connect.ts'
import { bluesky } from '../../../shared/platforms/bluesky/publish.ts'
import { film } from '../../media/files.ts'
import { launchPds, type RunningPds } from './launch.ts'
import { launchVideoService, type VideoService } from './video-service.ts'

const text = 'Grüße 👋🏽 an @bob-y.test: siehe https://example.com/a?b=1 und #açaí!'
const password = 'correct-horse-battery'
/** The smallest film that is taken. */
const clip = film('isom', 'mp42')

let pds: RunningPds
let buckets: Buckets
let videos: VideoService
let ctx: Context

/** What the server answers here: an account, or an app password. */
const Answered = z.object({
  did: z._default(z.string(), ''),
  accessJwt: z._default(z.string(), ''),
  password: z._default(z.string(), ''),
})

const xrpc = async (method: string, body: unknown, token?: string) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(`${pds.url}/xrpc/${method}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return z.parse(Answered, await answer.json())
}

const account = async (name: string) =>
  xrpc('com.atproto.server.createAccount', { email: `${name}@example.com`, handle: `${name}.test`, password })

const Facet = z.object({
  index: z.object({ byteStart: z.number(), byteEnd: z.number() }),
  features: z.array(z.unknown()),
})
const Listed = z.object({
  records: z.array(
    z.object({
      uri: z.string(),
      value: z.object({
        text: z.string(),
        langs: z.optional(z.array(z.string())),
        facets: z._default(z.array(Facet), []),
        embed: z.optional(z.looseObject({ images: z.optional(z.array(z.unknown())) })),
      }),
    }),
  ),
})

const listRecords = async (repo: string) => {
  const query = new URLSearchParams({ repo, collection: 'app.bsky.feed.post' })
  const answer = await fetch(`${pds.url}/xrpc/com.atproto.repo.listRecords?${query}`)
  return z.parse(Listed, await answer.json()).records
}

/** A 2 × 1 PNG, made here. */
const png = () => {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const crc = (bytes: Buffer) => {
    let c = 0xffffffff
    for (const byte of bytes) c = (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8)
    return (c ^ 0xffffffff) >>> 0
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const pixels = deflateSync(Buffer.from([0, 255, 0, 0, 0, 0, 255]))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

beforeAll(async () => {
  pds = await launchPds()
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  buckets = await startBuckets({ clock: { now: () => Date.now() }, credentials })
  buckets.create('media')
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: buckets.url,
  })
  videos = await launchVideoService(pds.url)
  ctx = makeContext({
    PLATFORM_ORIGINS: JSON.stringify({ bluesky: videos.url }),
    ALLOWED_ORIGINS: `${pds.url},${videos.url}`,
    MEDIA_BUCKET: 'media',
  })
}, 120_000)

afterAll(async () => {
  await pds.close()
  await videos.close()
  await buckets.close()
})

test('a post with image, link, mention and hashtag is read back from a real PDS, and a second commit changes nothing', async () => {
  const alice = await account('alice-x')
  const bob = await account('bob-y')
  const app = await xrpc('com.atproto.server.createAppPassword', { name: 'sps', privileged: false }, alice.accessJwt)
  const connection = await connect(ctx, { identifier: '@alice-x.test', appPassword: app.password, service: pds.url })
  expect(connection).toMatchObject({ externalId: alice.did, username: 'alice-x.test', details: { service: pds.url } })

  const bytes = png()
  const object = { Bucket: 'media', Key: 'media/uploads/ws/one.png', Body: bytes, ContentType: 'image/png' }
  await new S3Client({}).send(new PutObjectCommand(object))
  const media = [
    {
      id: 'one',
      storageKey: 'media/uploads/ws/one.png',
      mimeType: 'image/png',
      fileSize: bytes.length,
      originalFilename: 'one.png',
      width: 2,
      height: 1,
      altText: 'two pixels',
    },
  ]
  const call: PlatformCall = {
    ctx,
    account: { id: 'acc', workspaceId: 'ws', ...connection },
    post: { id: 'p', version: 1, text, metadata: undefined, media, assets: {}, scheduledAtMs: Date.now() },
  }
  const prepared = await bluesky.prepare?.(call, undefined)
  if (!prepared || !('ready' in prepared)) throw new Error('nothing was prepared')
  const key = clientKeyOf(bluesky, call.post)
  const first = await bluesky.commit(call, prepared.ready, key, undefined)
  const second = await bluesky.commit(call, prepared.ready, key, undefined)
  expect(second).toEqual(first)
  expect(first.url).toBe(`https://bsky.app/profile/${alice.did}/post/${key}`)

  const records = await listRecords(alice.did)
  expect(records).toHaveLength(1)
  const [record] = records
  if (!record) throw new Error('there is no record')
  const { uri, value } = record
  expect(uri).toBe(first.id)
  expect(value.text).toBe(text)
  expect(value.embed?.images).toMatchObject([
    { alt: 'two pixels', aspectRatio: { width: 2, height: 1 }, image: { mimeType: 'image/png', size: bytes.length } },
  ])
  const raw = Buffer.from(value.text, 'utf8')
  const named = value.facets.map((facet) => [
    raw.subarray(facet.index.byteStart, facet.index.byteEnd).toString('utf8'),
    facet.features,
  ])
  expect(named).toEqual([
    ['@bob-y.test', [{ $type: 'app.bsky.richtext.facet#mention', did: bob.did }]],
    ['https://example.com/a?b=1', [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/a?b=1' }]],
    ['#açaí', [{ $type: 'app.bsky.richtext.facet#tag', tag: 'açaí' }]],
  ])

  const attempt = { clientKey: key, ref: prepared.ready, startedAtMs: Date.now() }
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'published', ...first })
  expect(await bluesky.probe(call, { ...attempt, clientKey: '3l2sghbdlvk2b' })).toEqual({ kind: 'absent' })
})

test('a video reaches a real PDS by the token that the PDS signed, and its record is accepted', async () => {
  const dave = await account('dave-v')
  const app = await xrpc('com.atproto.server.createAppPassword', { name: 'sps', privileged: false }, dave.accessJwt)
  const connection = await connect(ctx, { identifier: 'dave-v.test', appPassword: app.password, service: pds.url })
  const object = { Bucket: 'media', Key: 'media/uploads/ws/one.mp4', Body: clip, ContentType: 'video/mp4' }
  await new S3Client({}).send(new PutObjectCommand(object))
  const file = {
    id: 'film',
    storageKey: object.Key,
    mimeType: 'video/mp4',
    fileSize: clip.length,
    width: 16,
    height: 9,
  }
  const media = [{ ...file, originalFilename: 'one.mp4', altText: 'a film' }]
  const call: PlatformCall = {
    ctx,
    account: { id: 'acc', workspaceId: 'ws', ...connection },
    post: { id: 'v', version: 1, text: '', metadata: undefined, media, assets: {}, scheduledAtMs: Date.now() },
  }
  const started = await bluesky.prepare?.(call, undefined)
  if (!started || !('resume' in started)) throw new Error('expected to wait')
  const done = await bluesky.prepare?.(call, started.resume)
  if (!done || !('ready' in done)) throw new Error('nothing was prepared')
  await bluesky.commit(call, done.ready, clientKeyOf(bluesky, call.post), undefined)
  const [record] = await listRecords(dave.did)
  expect(record?.value.embed).toMatchObject({
    $type: 'app.bsky.embed.video',
    video: { mimeType: 'video/mp4', size: clip.length },
    alt: 'a film',
    aspectRatio: { width: 16, height: 9 },
  })
})

test('a gallery of five images, with the languages of the text, is accepted by a real PDS', async () => {
  const erin = await account('erin-g')
  const app = await xrpc('com.atproto.server.createAppPassword', { name: 'sps', privileged: false }, erin.accessJwt)
  const connection = await connect(ctx, { identifier: 'erin-g.test', appPassword: app.password, service: pds.url })
  const storageKey = 'media/uploads/ws/five.png'
  const bytes = png()
  await new S3Client({}).send(new PutObjectCommand({ Bucket: 'media', Key: storageKey, Body: bytes }))
  const file = { storageKey, mimeType: 'image/png', fileSize: bytes.length, originalFilename: 'a.png', altText: 'two' }
  const media = [1, 2, 3, 4, 5].map((n) => ({ ...file, id: `i${n}`, width: 2, height: 1 }))
  const metadata = { langs: ['en', 'pt-BR'] }
  const call: PlatformCall = {
    ctx,
    account: { id: 'acc', workspaceId: 'ws', ...connection },
    post: { id: 'g', version: 1, text: 'Five', metadata, media, assets: {}, scheduledAtMs: Date.now() },
  }
  const done = await bluesky.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('nothing was prepared')
  await bluesky.commit(call, done.ready, clientKeyOf(bluesky, call.post), undefined)
  const [record] = await listRecords(erin.did)
  expect(record?.value.langs).toEqual(metadata.langs)
  expect(record?.value.embed?.['items']).toHaveLength(5)
})

test('gates and a quote reach a real PDS with their post; a repeat changes nothing, and the probe finds it', async () => {
  const frank = await account('frank-q')
  const app = await xrpc('com.atproto.server.createAppPassword', { name: 'sps', privileged: false }, frank.accessJwt)
  const connection = await connect(ctx, { identifier: 'frank-q.test', appPassword: app.password, service: pds.url })
  const callOf = (post: Partial<PlatformCall['post']>): PlatformCall => ({
    ctx,
    account: { id: 'acc', workspaceId: 'ws', ...connection },
    post: {
      id: 'q',
      version: 1,
      text: 'x',
      metadata: undefined,
      media: [],
      assets: {},
      scheduledAtMs: Date.now(),
      ...post,
    },
  })
  const readyOf = async (call: PlatformCall) => {
    const done = await bluesky.prepare?.(call, undefined)
    if (!done || !('ready' in done)) throw new Error('nothing was prepared')
    return done.ready
  }
  const first = callOf({ text: 'first' })
  const { id: quoteUri } = await bluesky.commit(
    first,
    await readyOf(first),
    clientKeyOf(bluesky, first.post),
    undefined,
  )
  const external = { url: 'https://bakery.example/', title: 'Bread' }
  const metadata = { quoteUri, external, replyGate: ['mentioned'], disableQuotes: true, labels: ['nudity'] }
  const call = callOf({ text: 'second', metadata, scheduledAtMs: Date.now() + 1000 })
  const ready = await readyOf(call)
  const key = clientKeyOf(bluesky, call.post)
  const second = await bluesky.commit(call, ready, key, undefined)
  await expect(bluesky.commit(call, ready, key, undefined)).rejects.toMatchObject({ errorClass: 'unknown' })
  const records = await listRecords(frank.did)
  expect(records.map(({ value }) => value.text)).toEqual(['second', 'first'])
  expect(records[0]?.value.embed).toMatchObject({
    record: { record: { uri: quoteUri } },
    media: { external: { uri: 'https://bakery.example/', title: 'Bread' } },
  })
  const gateOf = async (collection: string) => {
    const query = new URLSearchParams({ repo: frank.did, collection, rkey: key })
    return (await fetch(`${pds.url}/xrpc/com.atproto.repo.getRecord?${query}`)).status
  }
  const gates = ['app.bsky.feed.threadgate', 'app.bsky.feed.postgate']
  expect(await Promise.all(gates.map(gateOf))).toEqual([200, 200])
  const attempt = { clientKey: key, ref: ready, startedAtMs: Date.now() }
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'published', ...second })
  await bluesky.remove?.(call, second.id ?? '')
  expect(await Promise.all(gates.map(gateOf))).toEqual([400, 400])
  expect((await listRecords(frank.did)).map(({ value }) => value.text)).toEqual(['first'])
})

test('a wrong app password and a text that is too long are refused with the server’s own message', async () => {
  await expect(
    connect(ctx, { identifier: 'alice-x.test', appPassword: 'wron-gwro-ngwr-ongw', service: pds.url }),
  ).rejects.toThrow()
  const carol = await account('carol-z')
  const app = await xrpc('com.atproto.server.createAppPassword', { name: 'sps', privileged: false }, carol.accessJwt)
  const connection = await connect(ctx, { identifier: 'carol-z.test', appPassword: app.password, service: pds.url })
  const call: PlatformCall = {
    ctx,
    account: { id: 'acc', workspaceId: 'ws', ...connection },
    post: {
      id: 'p',
      version: 1,
      text: 'x'.repeat(301),
      metadata: undefined,
      media: [],
      assets: {},
      scheduledAtMs: Date.now(),
    },
  }
  const prepared = await bluesky.prepare?.(call, undefined)
  if (!prepared || !('ready' in prepared)) throw new Error('nothing was prepared')
  await expect(bluesky.commit(call, prepared.ready, clientKeyOf(bluesky, call.post), undefined)).rejects.toMatchObject({
    errorClass: 'invalid',
    info: { detail: expect.stringContaining('grapheme') },
  })
  expect(await listRecords(carol.did)).toEqual([])
})
