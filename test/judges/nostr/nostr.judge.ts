import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Context, makeContext } from '../../../shared/context.ts'
import type { PlatformCall } from '../../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../../shared/platforms/adapters.ts'
import { connect } from '../../../shared/platforms/nostr/connect.ts'
import { nostr } from '../../../shared/platforms/nostr/publish.ts'
import type { OutgoingPost } from '../../../shared/platforms/post.ts'
import { launchRelay, type RunningRelay } from './launch.ts'

const require = createRequire(import.meta.url)
const tools = require('nostr-tools')

let relay: RunningRelay
let second: RunningRelay
let ctx: Context
const key: Uint8Array = tools.generateSecretKey()
const publicKey: string = tools.getPublicKey(key)

beforeAll(async () => {
  relay = await launchRelay()
  second = await launchRelay()
  ctx = makeContext({ ALLOWED_ORIGINS: 'http://127.0.0.1:*', PLATFORM_ORIGINS: '{}' })
})
afterAll(async () => {
  await Promise.all([relay?.close(), second?.close()])
})

interface Event {
  id: string
  content: string
  tags: string[][]
  created_at: number
}

/** What a client of other people reads at a relay. */
const readBy = async (url: string, filter: object): Promise<Event[]> => {
  const client = await tools.Relay.connect(url)
  const events: Event[] = []
  await new Promise<void>((resolve) => {
    client.subscribe([filter], { onevent: (event: Event) => events.push(event), oneose: resolve })
  })
  client.close()
  return events
}

const connected = () => connect(ctx, { secretKey: tools.nip19.nsecEncode(key), relays: [relay.url, second.url] })

const callOf = async (post: Partial<OutgoingPost>): Promise<PlatformCall> => ({
  ctx,
  account: { id: 'acc_1', workspaceId: 'ws_1', ...(await connected()) },
  post: {
    id: 'post',
    version: 1,
    text: 'Hello',
    metadata: undefined,
    media: [],
    assets: {},
    scheduledAtMs: ctx.clock.now(),
    ...post,
  },
})

const publish = async (call: PlatformCall) => {
  const done = await nostr.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  const clientKey = clientKeyOf(nostr, call.post)
  return {
    ...(await nostr.commit(call, done.ready, clientKey, await nostr.build?.(call, done.ready))),
    ready: done.ready,
  }
}

test('an account is connected with its profile, which another client wrote', async () => {
  expect(await connected()).toMatchObject({
    externalId: publicKey,
    username: tools.nip19.npubEncode(publicKey),
    profileImageUrl: null,
  })
  const client = await tools.Relay.connect(second.url)
  const content = JSON.stringify({ name: 'ann', display_name: 'Ann', picture: 'https://a.example/ann.png' })
  const createdAt = Math.floor(Date.now() / 1000)
  await client.publish(tools.finalizeEvent({ kind: 0, content, tags: [], created_at: createdAt }, key))
  client.close()
  expect(await connected()).toMatchObject({ displayName: 'Ann', profileImageUrl: 'https://a.example/ann.png' })
})

test('a post is stored once at each relay, also when it is sent again, and another client verifies it', async () => {
  const text = 'Grüße 👋🏽 "Brot"\nund #Käse\ttäglich \\ frisch'
  const call = await callOf({ text, metadata: { contentWarning: 'Bread' } })
  const before = [relay.stored(), second.stored()]
  const { id, url } = await publish(call)
  expect(await publish(call)).toMatchObject({ id, url })
  expect([relay.stored(), second.stored()]).toEqual(before.map((count) => count + 1))
  for (const at of [relay, second]) {
    const [event, ...more] = await readBy(at.url, { ids: [id] })
    expect(more).toEqual([])
    expect(tools.verifyEvent(event)).toBe(true)
    expect(event).toMatchObject({
      content: text,
      tags: [
        ['t', 'käse'],
        ['content-warning', 'Bread'],
      ],
    })
  }
  const link = tools.nip19.decode(String(url).slice('https://njump.me/'.length))
  expect(link).toMatchObject({ type: 'nevent', data: { id, relays: [relay.url], author: publicKey } })
})

test('a thread is read as one by another client', async () => {
  const first = await publish(await callOf({ text: 'One' }))
  const next = await publish(await callOf({ text: 'Two', replyTo: String(first.id) }))
  const last = await publish(await callOf({ text: 'Three', replyTo: String(next.id) }))
  const [event] = await readBy(relay.url, { ids: [last.id] })
  expect(tools.nip10.parse(event)).toMatchObject({ root: { id: first.id }, reply: { id: next.id } })
})

test('a post is looked for by its ID, and deleted', async () => {
  const call = await callOf({ text: 'Gone' })
  const { id, ready } = await publish(call)
  const attempt = { clientKey: clientKeyOf(nostr, call.post), ref: ready, startedAtMs: ctx.clock.now() }
  expect(await nostr.probe(call, attempt)).toMatchObject({ kind: 'published', id })
  await nostr.remove?.(call, String(id))
  expect(await readBy(relay.url, { ids: [id] })).toEqual([])
  expect(await nostr.probe(call, attempt)).toEqual({ kind: 'absent' })
})

test('a relay that checks logins takes one', async () => {
  const strict = await launchRelay({ hostname: '127.0.0.1' })
  const call = await callOf({ text: 'Known' })
  const account = { ...call.account, details: { relays: strict.url } }
  expect(await publish({ ...call, account })).toMatchObject({ id: expect.any(String) })
  await strict.close()
})
