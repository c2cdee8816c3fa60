import sharp from 'sharp'
import type { Route } from '../../functions/routes.ts'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { nostrSeed } from '../../infra/local/platforms/nostr/seed.ts'
import { wordpressSeed } from '../../infra/local/platforms/wordpress.ts'
import { story } from '../../infra/openapi/examples/story.ts'
import { exampleOf } from '../../infra/openapi/examples.ts'
import { examples } from '../../shared/platforms/registry/examples.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { uploadVideo } from '../journeys/upload-video.ts'
import type { Kit } from '../support/start.ts'
import type { Call } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { connectOnce, makeCollection, minuteMs, rotatingTeam, settle } from '../support/world/preparations.ts'
import { makeSubscriber } from '../support/world/subscribers.ts'
import { textsIn, valueAt } from './values.ts'

/** What the values of the story are called in one run. */
export type World = ReadonlyMap<string, string>

const byAccount = new Map<string, PlatformId>(platformIds.map((id) => [examples[id].account, id]))
const values = new Set<string>([
  ...byAccount.keys(),
  ...Object.values(story).filter((each) => typeof each === 'string'),
])

const accountOf = (kit: Kit, platform: PlatformId): Promise<string> | string =>
  platform === 'bluesky' || platform === 'discord'
    ? kit.accounts[platform]
    : connectOnce(kit, platform, platform === 'slack' ? rotatingTeam : undefined)

/** The file that the examples of media speak of: a JPEG of exactly this size. */
const fileInfo = { mimeType: 'image/jpeg' as const, fileSize: 482_113 }
const loaf = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const picture = { create: { width: 1200, height: 900, channels: 3 as const, background: '#b5793f' } }
  const jpeg = await sharp(picture).jpeg().toBuffer()
  return new Uint8Array(Buffer.concat([jpeg, Buffer.alloc(fileInfo.fileSize - jpeg.byteLength)]))
}

const uploadLoaf = async ({ api }: Kit): Promise<string> => {
  const { uploadUrl, storageKey } = await api.media.createUploadUrl({ body: { filename: 'loaf.jpg', ...fileInfo } })
  const { status } = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Type': fileInfo.mimeType },
    body: await loaf(),
  })
  if (status !== 200) throw new Error(`the upload answered ${status}`)
  return storageKey
}

const makePicture = async (kit: Kit): Promise<string> => {
  const body = { ...fileInfo, storageKey: await uploadLoaf(kit), originalFilename: 'loaf.jpg', altText: 'A loaf' }
  return (await kit.api.media.complete({ body })).id
}

/** The names of these values in a run, regardless of those in the call of `happyCall`. */
const own: Readonly<Record<string, (kit: Kit) => Promise<string> | string>> = {
  [story.picture]: makePicture,
  [story.upload]: uploadLoaf,
  [story.video]: async (kit) => (await uploadVideo(kit)).id,
  [story.email]: async ({ ctx }) => (await settle(ctx, story.email, 'Ada Baker')).email,
  [story.receiver]: ({ service }) => `${service.inboxUrl}/hooks/bakery`,
  [story.handle]: () => blueskySeed.account.handle,
  [story.appPassword]: () => blueskySeed.account.appPassword,
  [story.wordpressSite]: () => wordpressSeed.site,
  [story.wordpressUser]: () => wordpressSeed.users[0].username,
  [story.wordpressPassword]: () => wordpressSeed.users[0].applicationPassword,
  [story.secretKey]: () => nostrSeed.people[0].nsec,
}

const shared: Readonly<Record<string, (kit: Kit) => Promise<string> | string>> = {
  [story.user]: ({ user }) => user.id,
  [story.collection]: async (kit) => (await makeCollection(kit)).id,
  [story.workspace]: ({ workspaceId }) => workspaceId,
}

const runValueOf = async (kit: Kit, value: string, like: unknown, inBody: boolean): Promise<string> => {
  const platform = byAccount.get(value)
  const mine = own[value] ?? (platform && inBody ? () => accountOf(kit, platform) : undefined)
  const made = mine ? await mine(kit) : typeof like === 'string' ? like : await shared[value]?.(kit)
  if (made === undefined) throw new Error(`neither happy-calls.ts nor world.ts makes ${value}`)
  return made
}

/** Publishes the post of the story. */
const publish = async ({ api, accounts, service }: Kit, world: Map<string, string>) => {
  const body = { content: 'The last two trays are out now.', socialAccountIds: [accounts.bluesky] }
  const [post] = await api.posts.publishNow({ body })
  await service.pass(minuteMs)
  world.set(story.post, post?.id ?? '')
}

/** What must be there for an example to show more than nothing. */
const before: Readonly<Record<string, (kit: Kit, world: Map<string, string>) => Promise<unknown>>> = {
  'ai.getJob': ({ service }) => service.pass(60_000),
  'memory.search': (kit, world) =>
    kit.api.memory.create({
      body: {
        text: 'Customers like to read about the night shift.',
        collectionId: world.get(story.collection) ?? '',
      },
    }),
  'posts.listAttempts': publish,
  'posts.listDeliveries': publish,
  'webhooks.listEventLog': ({ service }) => service.pass(60_000),
  'webhooks.listDeliveries': ({ service }) => service.pass(60_000),
  'workspaces.getVoice': (kit) =>
    kit.api.workspaces.updateVoice({ params: { id: kit.workspaceId }, body: { tone: 'warm' } }),
}

/** Callers other than those of `happyCall`. */
const callers: Readonly<Record<string, (kit: Kit) => Promise<Call>>> = {
  'billing.get': async (kit) => ({ workspaceId: (await makeSubscriber(kit)).workspaceId, token: kit.sessionToken }),
}

/** Makes what the example of an operation speaks of; returns who calls, and what its values are called in this run. */
export const prepare = async (route: Route, kit: Kit): Promise<{ good: Call; world: World }> => {
  const good = { ...(await happyCall(route, kit)), ...(await callers[route.operation]?.(kit)) }
  const { params, query, request, others = {} } = exampleOf(route.operation)
  const world = new Map<string, string>()
  const bodies = [request, ...Object.values(others).map(({ value }) => value)]
  for (const [sample, like] of [[params, good.params] as const, [query, good.query] as const]) {
    for (const { path, text } of textsIn(sample)) {
      if (values.has(text)) world.set(text, await runValueOf(kit, text, valueAt(like, path), false))
    }
  }
  for (const { path, text } of bodies.flatMap((body) => textsIn(body))) {
    if (values.has(text) && !world.has(text)) {
      world.set(text, await runValueOf(kit, text, valueAt(good.body, path), true))
    }
  }
  if (!world.has(story.workspace)) world.set(story.workspace, good.workspaceId ?? kit.workspaceId)
  await before[route.operation]?.(kit, world)
  return { good, world }
}
