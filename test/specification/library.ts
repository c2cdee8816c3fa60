import { draftBody, makeCollection, makeDraft } from '../support/world/preparations.ts'
import { removeHooks } from '../webhooks/hooks.ts'
import type { Check } from './check.ts'
import { boolean, filled, integer, is, list, object, orNull } from './shape.ts'
import type { World } from './world.ts'

const same = (sent: unknown, answered: unknown, name: string) =>
  JSON.stringify(sent) === JSON.stringify(answered) ? [] : [`${name} is ${JSON.stringify(answered)}`]

/** Drafts: what is sent is answered. */
const draftFields = [
  'content',
  'name',
  'socialAccountIds',
  'selectedPlatforms',
  'mediaUrls',
  'platformContent',
] as const
const drafts: Check[] = [
  ...[...draftFields, 'platformMedia' as const].map(
    (field): Check => ({
      route: 'POST /api/drafts',
      title: `stores ${field}`,
      call: async ({ kit }) => ({ body: await draftBody(kit) }),
      also: async ({ body }, { kit }) => {
        const made = body?.['data'] as { id: string } & Record<string, unknown>
        const read = await kit.api.drafts.get({ params: { id: made.id } })
        return [...same(made[field], read[field], field), ...(made[field] === undefined ? [`no ${field}`] : [])]
      },
    }),
  ),
  { route: 'POST /api/drafts', title: 'accepts a content alone', call: () => ({ body: { content: 'Alone' } }) },
  {
    route: 'PATCH /api/drafts/{id}',
    title: 'accepts the id in the body as well',
    call: async ({ kit }) => {
      const { id } = await makeDraft(kit)
      return { params: { id }, body: { id, content: 'Better' } }
    },
    data: object({ content: is('Better') }),
  },
  {
    route: 'GET /api/drafts/{id}',
    title: 'returns 404 for a deleted draft',
    status: 404,
    call: async ({ kit }) => {
      const params = { id: (await makeDraft(kit)).id }
      await kit.api.drafts.delete({ params })
      return { params }
    },
  },
]

const withMemories = async ({ kit }: World, count: number, more: object) => {
  const { id: collectionId } = await makeCollection(kit)
  for (let n = 0; n < count; n += 1) {
    await kit.api.memory.create({ body: { text: `Bread number ${n}`, collectionId } })
  }
  return { body: { prompt: 'bread', collectionIds: [collectionId], ...more } }
}

const searched = (title: string, count: number, hits: number, more = {}): Check => ({
  route: 'POST /api/memory/search',
  title,
  call: (world) => withMemories(world, count, more),
  also: ({ body }) => {
    const { hits: searchHits } = body?.['data'] as { hits: unknown[] }
    return searchHits.length === hits ? [] : [`${searchHits.length} hits`]
  },
})

const memory: Check[] = [
  searched('answers 5 hits where no topK is sent', 7, 5),
  searched('answers topK hits', 7, 6, { topK: 6 }),
  searched('answers one hit', 2, 1, { topK: 1 }),
  {
    route: 'POST /api/memory/search',
    title: 'accepts 10 collections',
    call: async ({ kit }) => {
      const made = await Promise.all(Array.from({ length: 10 }, () => makeCollection(kit)))
      return { body: { prompt: 'bread', collectionIds: made.map(({ id }) => id) } }
    },
  },
  {
    route: 'DELETE /api/memory/{id}',
    title: 'accepts the id in the body as well',
    call: async ({ kit }) => {
      const { id: collectionId } = await makeCollection(kit)
      const { id } = await kit.api.memory.create({ body: { text: 'Gone', collectionId } })
      return { params: { id }, body: { collectionId, memoryId: id } }
    },
  },
]

const voice = { description: 'Bakers', tone: 'warm', style: 'short', personality: 'kind' }
const setVoice = async ({ kit }: World, body: Record<string, string> | null) => {
  const params = { id: kit.workspaceId }
  await kit.api.workspaces.updateVoice({ params, body: voice })
  await kit.api.workspaces.updateVoice({ params, body })
  return { params }
}

/** Personalization. */
const route = 'GET /api/workspaces/{id}/ai-voice-settings'
const personalization: Check[] = [
  {
    route,
    title: 'returns the four texts',
    call: (world) => setVoice(world, voice),
    data: object({ description: is('Bakers'), tone: is('warm'), style: is('short'), personality: is('kind') }),
  },
  { route, title: 'returns null once null was sent', call: (world) => setVoice(world, null), data: is(null) },
  {
    route,
    title: 'returns null once empty texts were sent',
    call: (world) => setVoice(world, { description: '', tone: '', style: '', personality: '' }),
    data: is(null),
  },
]

const hookOf = (kit: World['kit'], name: string) => ({
  name,
  url: `${kit.service.inboxUrl}/hooks/${name}`,
  events: ['post.published' as const],
})
const madeHook = async ({ kit }: World) => {
  await removeHooks(kit)
  return kit.sessionApi.webhooks.create({ body: hookOf(kit, 'kept') })
}

/** Webhook endpoint management. */
const webhooks: Check[] = [
  {
    route: 'GET /api/webhooks',
    title: 'never returns the secret of an endpoint',
    call: async (world) => {
      await madeHook(world)
      return {}
    },
    data: list(object({ id: filled, name: is('kept'), enabled: boolean }), { least: 1 }),
    also: ({ text }) => (/whsec_\w{8}/.test(text) ? [text] : []),
  },
  {
    route: 'POST /api/webhooks/{id}/rotate-secret',
    title: 'returns another secret than the one before',
    call: async (world) => {
      const { id, secret } = await madeHook(world)
      lastSecret = secret
      return { params: { id } }
    },
    also: ({ body }) => ((body?.['data'] as { secret: string }).secret === lastSecret ? ['the same secret'] : []),
  },
  {
    route: 'GET /api/webhooks/{id}',
    title: 'returns 404 for a deleted endpoint',
    status: 404,
    call: async (world) => {
      const params = { id: (await madeHook(world)).id }
      await world.kit.sessionApi.webhooks.delete({ params })
      return { params }
    },
  },
  ...[9, 10].map(
    (before): Check => ({
      route: 'POST /api/webhooks',
      title: `${before === 9 ? 'accepts' : 'rejects'} one more than ${before}`,
      ...(before === 9 ? {} : { status: 400 }),
      call: async ({ kit }) => {
        await removeHooks(kit)
        const names = Array.from({ length: before }, (_, n) => `hook${n}`)
        for (const name of names) await kit.sessionApi.webhooks.create({ body: hookOf(kit, name) })
        return { body: hookOf(kit, 'more') }
      },
    }),
  ),
  ...[{ status: 'pending' }, { eventType: 'post.published' }, { limit: '200', offset: '1' }].map(
    (query): Check => ({
      route: 'GET /api/webhooks/{id}/deliveries',
      title: `accepts ${JSON.stringify(query)}`,
      call: async (world) => ({ params: { id: (await madeHook(world)).id }, query }),
      data: object({ items: list(object({})), total: orNull(integer), hasMore: boolean }),
    }),
  ),
]
let lastSecret = ''

export const library: readonly Check[] = [...drafts, ...memory, ...personalization, ...webhooks]
