import { drawImage } from '../../../local/demo/image.ts'
import { assert, refusalOf } from '../outcome.ts'
import type { Step, World } from '../world.ts'

const mimeType = 'image/png' as const

/** Uploads a picture as any program does; returns the body that completes the upload. */
const upload = async ({ api, options, mark }: World) => {
  const { bytes } = drawImage()
  const originalFilename = `smoke-${mark}.png`
  const file = { mimeType, fileSize: bytes.length }
  const target = await api.media.createUploadUrl({ body: { filename: originalFilename, ...file } })
  const { ok, status } = await fetch(target.uploadUrl, {
    method: target.method,
    headers: target.headers,
    body: new Uint8Array(bytes),
    signal: AbortSignal.timeout(options.timeoutMs),
  })
  assert(ok, `the upload to ${new URL(target.uploadUrl).origin} answered ${status}`)
  return { storageKey: target.storageKey, originalFilename, altText: 'An evening sky', ...file }
}

const createDraft = ({ api, made, mark }: World, name: string) =>
  made.create({
    what: `the draft "smoke ${mark} ${name}"`,
    create: (idempotencyKey) =>
      api.drafts.create({
        idempotencyKey,
        body: { name: `smoke ${mark} ${name}`, content: 'A deployment is tested.' },
      }),
    remove: ({ id }) => api.drafts.delete({ params: { id } }),
  })

/** Files, drafts, and memories. */
export const contentSteps: readonly Step[] = [
  {
    name: 'upload an image',
    async run(world) {
      const { api, made, mark } = world
      const body = await upload(world)
      world.asset = await made.create({
        what: `the image smoke-${mark}.png`,
        create: (idempotencyKey) => api.media.complete({ idempotencyKey, body }),
        remove: ({ id }) => api.media.delete({ params: { id }, query: { force: 'true' } }),
      })
      assert(world.asset.width === 800 && world.asset.height === 450, 'the image was measured incorrectly')
      return undefined
    },
  },
  {
    name: 'media host serves the image',
    async run({ asset, options }) {
      assert(asset !== undefined, 'there is no image')
      const answer = await fetch(asset.url, { signal: AbortSignal.timeout(options.timeoutMs) })
      const { host } = new URL(asset.url)
      assert(answer.ok, `${host} answered ${answer.status}`)
      const { byteLength } = await answer.arrayBuffer()
      assert(byteLength === asset.fileSize, `${host} sent ${byteLength} of ${asset.fileSize} bytes`)
      return host
    },
  },
  {
    name: 'draft, and its ETag',
    async run(world) {
      const { api, wire } = world
      const { id } = await createDraft(world, 'one')
      const ifMatch = wire.last()?.headers.get('ETag')
      assert(ifMatch, 'the response has no ETag')
      const params = { id }
      const changed = await api.drafts.update({ params, ifMatch, body: { content: 'A deployment works.' } })
      assert(changed.content === 'A deployment works.', 'the draft was not changed')
      await refusalOf(api.drafts.update({ params, ifMatch, body: { content: 'Lost' } }), 412, 'draft_changed')
      return undefined
    },
  },
  {
    name: 'pages of a list',
    async run(world) {
      const { api } = world
      await createDraft(world, 'two')
      const first = await api.drafts.list({ query: { limit: 1 } })
      assert(first.items.length === 1 && first.hasMore && first.nextCursor, 'the first of two pages has no cursor')
      const second = await api.drafts.list({ query: { limit: 1, cursor: first.nextCursor } })
      assert(second.items.length === 1, 'the second page is empty')
      assert(second.items[0]?.id !== first.items[0]?.id, 'two pages have the same draft')
      return `${first.total} drafts`
    },
  },
  {
    name: 'memory',
    async run({ api, made, mark }) {
      const { id: collectionId } = await made.create({
        what: `the collection "smoke ${mark}"`,
        create: (idempotencyKey) =>
          api.memory.createCollection({ idempotencyKey, body: { name: `smoke ${mark}`, isPrivate: true } }),
        remove: ({ id }) => api.memory.deleteCollection({ params: { id } }),
      })
      const text = 'The lighthouse opens at seven in the evening.'
      // Deleted with its collection.
      const { id } = await api.memory.create({ body: { collectionId, text } })
      const { hits } = await api.memory.search({ body: { collectionIds: [collectionId], prompt: 'lighthouse' } })
      assert(hits[0]?.memory.id === id, 'the search does not find a memory that was just created')
      return undefined
    },
  },
]
