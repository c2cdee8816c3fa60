import type { Client } from '../../../functions/client.ts'
import { png } from '../../media/files.ts'
import { type Insisting, insist, type Outcome } from './insist.ts'
import type { Stage } from './stage.ts'

type Page = { items: readonly { id: string; name: string }[]; total: number }

/** A kind of named things that are made and deleted. */
export interface Kind {
  name: string
  /** The most that one member has at a time. */
  max: number
  /** Makes one, by as many requests as it takes. */
  make(api: Client, stage: Stage, name: string, insisting: Insisting): Promise<Outcome<{ id: string }>>
  remove(api: Client, stage: Stage, id: string): Promise<unknown>
  list(api: Client, stage: Stage, query: { limit: number; offset: number }): Promise<Page>
}

const drafts: Kind = {
  name: 'draft',
  max: 20,
  make: (api, _stage, name, insisting) =>
    insist(`draft ${name}`, insisting, () => api.drafts.create({ body: { content: name }, idempotencyKey: name })),
  remove: (api, _stage, id) => api.drafts.delete({ params: { id } }),
  async list(api, _stage, query) {
    const { items, total } = await api.drafts.list({ query })
    return { items: items.map(({ id, content }) => ({ id, name: content })), total }
  },
}

const memories: Kind = {
  name: 'memory',
  max: 20,
  make: (api, { collectionId }, name, insisting) =>
    insist(`memory ${name}`, insisting, () =>
      api.memory.create({ body: { text: name, collectionId }, idempotencyKey: name }),
    ),
  remove: (api, { collectionId }, id) => api.memory.delete({ params: { id }, body: { collectionId } }),
  async list(api, { collectionId }, query) {
    const { items, total } = await api.memory.list({ query: { ...query, collectionId } })
    return { items: items.map(({ id, text }) => ({ id, name: text })), total }
  },
}

/** The picture that is uploaded under a name; two names seldom have the same. */
export const pictureOf = (name: string): Buffer => png(20 + (Number(name.slice(1)) % 500), 20)

/** An address to upload to ends with the process that gave it, so that a cut off upload begins anew. */
const upload = async (api: Client, bytes: Buffer, insisting: Insisting, name: string): Promise<string> => {
  const body = { filename: name, mimeType: 'image/png' as const, fileSize: bytes.byteLength }
  const headers = { 'Content-Type': 'image/png' }
  const outcome = await insist(`upload ${name}`, insisting, async () => {
    const { uploadUrl, storageKey } = await api.media.createUploadUrl({ body })
    const sent = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
    if (!sent.ok) throw new Error(`the upload of ${name} was answered ${sent.status}: ${await sent.text()}`)
    return storageKey
  })
  if (outcome.kind === 'refused') throw new Error(`no address for ${name}: ${JSON.stringify(outcome.body)}`)
  return outcome.data
}

const files: Kind = {
  name: 'file',
  max: 5,
  async make(api, _stage, name, insisting) {
    const bytes = pictureOf(name)
    const storageKey = await upload(api, bytes, insisting, name)
    const body = { storageKey, originalFilename: name, mimeType: 'image/png' as const, fileSize: bytes.byteLength }
    return insist(`file ${name}`, insisting, () => api.media.complete({ body, idempotencyKey: name }))
  },
  remove: (api, _stage, id) => api.media.delete({ params: { id } }),
  async list(api, _stage, query) {
    const { items, total } = await api.media.list({ query })
    return { items: items.map(({ id, originalFilename }) => ({ id, name: originalFilename })), total }
  },
}

/** An endpoint's secret is shown once: a repeat returns the endpoint that the first request made. */
const withoutSecret = (outcome: Outcome<{ id: string }>): Outcome<{ id: string }> =>
  outcome.kind === 'refused' && outcome.body['code'] === 'secret_already_returned'
    ? { kind: 'done', data: { id: String(outcome.body['id']) }, cutOff: outcome.cutOff }
    : outcome

const endpoints: Kind = {
  name: 'webhook endpoint',
  // A workspace has ten at most, and the demonstration's is one of them.
  max: 1,
  async make(api, { inboxUrl }, name, insisting) {
    const body = { name, url: `${inboxUrl}/hooks/${name}`, events: ['post.published' as const] }
    return withoutSecret(
      await insist(`endpoint ${name}`, insisting, () => api.webhooks.create({ body, idempotencyKey: name })),
    )
  },
  remove: (api, _stage, id) => api.webhooks.delete({ params: { id } }),
  async list(api, { inboxUrl }, { offset }) {
    const all = (await api.webhooks.list()).filter(({ url }) => url !== `${inboxUrl}/hooks/demo`)
    return { items: all.slice(offset), total: all.length }
  },
}

export const kinds: readonly Kind[] = [drafts, memories, files, endpoints]
