import { createHash } from 'node:crypto'
import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow'
import { momentOf } from '../../../../shared/local-time.ts'
import type { Client } from '../../javascript/src/index.ts'

/** One item of an execution. */
export interface Item {
  n8n: IExecuteFunctions
  client: Client
  index: number
  /** The execution in keys: a retried execution uses that of the first. */
  execution: string
}

const textOf = ({ n8n, index }: Item, name: string): string =>
  String(n8n.getNodeParameter(name, index, '') ?? '').trim()

const refuse = ({ n8n, index }: Item, message: string, description: string) =>
  new NodeOperationError(n8n.getNode(), message, { description, itemIndex: index })

/** A time with its zone. The field of n8n has the clocks of the workflow, and no zone. */
const timeOf = (item: Item): string => {
  const text = textOf(item, 'scheduledAt')
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return text
  const [wall] = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?/.exec(text) ?? []
  const moment = wall && momentOf(wall.replace(' ', 'T'), item.n8n.getTimezone())
  if (moment) return new Date(moment).toISOString()
  throw refuse(item, `Time is "${text}".`, 'Use a date with a time, such as 2030-01-01T09:00:00Z.')
}

const metadataOf = (item: Item, value: unknown): Record<string, unknown> | undefined => {
  const read = (): unknown => {
    try {
      return typeof value === 'string' ? JSON.parse(value) : value
    } catch {
      return undefined
    }
  }
  if (value === undefined || value === '') return undefined
  const metadata = read()
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
    return Object.keys(metadata).length === 0 ? undefined : { ...metadata }
  }
  throw refuse(item, 'Metadata is not a JSON object by platform.', 'Such as {"slack":{"channelId":"C0123"}}.')
}

const additional = ({ n8n, index }: Item) => n8n.getNodeParameter('additionalFields', index, {}) as IDataObject

const bodyOf = (item: Item) => {
  const { externalId, firstComment, mediaUrls, metadata } = additional(item)
  const accounts = item.n8n.getNodeParameter('accounts', item.index, [])
  const files = (Array.isArray(mediaUrls) ? mediaUrls.map(String) : String(mediaUrls ?? '').split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const fields = metadataOf(item, metadata)
  return {
    socialAccountIds: (Array.isArray(accounts) ? accounts : [accounts]).map(String),
    content: String(item.n8n.getNodeParameter('content', item.index, '') ?? ''),
    ...(files.length === 0 ? {} : { mediaUrls: files }),
    ...(fields === undefined ? {} : { metadata: fields }),
    ...(firstComment ? { firstComment: { text: String(firstComment) } } : {}),
    ...(externalId ? { externalId: String(externalId) } : {}),
  }
}

/** At most 255 characters, whatever the ID of a workflow is. */
const keyOf = (item: Item): string => {
  const { n8n, index, execution } = item
  const own = additional(item)['idempotencyKey']
  const what = own ? ['own', String(own)] : ['execution', execution, String(index)]
  const parts = [n8n.getWorkflow().id ?? '', n8n.getNode().id, ...what]
  return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}

const listPosts = async (item: Item): Promise<object[]> => {
  const { n8n, client, index } = item
  const filters = Object.entries(n8n.getNodeParameter('filters', index, {}) as IDataObject).filter(([, value]) => value)
  const limit = n8n.getNodeParameter('returnAll', index, false)
    ? Number.POSITIVE_INFINITY
    : Number(n8n.getNodeParameter('limit', index, 50))
  const posts: object[] = []
  for await (const post of client.posts.list.all({ ...Object.fromEntries(filters), limit: Math.min(limit, 200) })) {
    posts.push(post)
    if (posts.length >= limit) break
  }
  return posts
}

const upload = async (item: Item): Promise<object[]> => {
  const { n8n, client, index } = item
  const field = textOf(item, 'binaryPropertyName')
  const { fileName, mimeType } = n8n.helpers.assertBinaryData(index, field)
  const bytes = await n8n.helpers.getBinaryDataBuffer(index, field)
  const altText = textOf(item, 'altText')
  const options = { filename: fileName ?? 'upload', ...(altText === '' ? {} : { altText }) }
  return [await client.media.upload(new Blob([new Uint8Array(bytes)], { type: mimeType }), options)]
}

/** What each operation of a resource returns, one object for each item of the output. */
export const operations: Readonly<Record<string, (item: Item) => Promise<object[]>>> = {
  'account.getAll': ({ client }) => client.socialAccounts.list(),
  'media.upload': upload,
  'post.cancel': async (item) => [await item.client.posts.cancel(textOf(item, 'postId'))],
  'post.get': async (item) => [await item.client.posts.get(textOf(item, 'postId'))],
  'post.getAll': listPosts,
  'post.publish': (item) => item.client.posts.publishNow(bodyOf(item), { idempotencyKey: keyOf(item) }),
  'post.reschedule': async (item) => [
    await item.client.posts.reschedule(textOf(item, 'postId'), { scheduledAt: timeOf(item) }),
  ],
  'post.schedule': (item) =>
    item.client.posts.schedule({ ...bodyOf(item), scheduledAt: timeOf(item) }, { idempotencyKey: keyOf(item) }),
  'post.validate': async (item) => [await item.client.posts.validate(bodyOf(item))],
}

/** The most failed executions that a node remembers. */
const maxFailed = 50

/**
 * The execution in keys. n8n gives a retry of a failed execution a new ID and runs all items of the node again, including
 * published ones. A node therefore remembers under which execution its items failed.
 */
export const executionOf = (n8n: IExecuteFunctions, items: readonly INodeExecutionData[]) => {
  const data = n8n.getWorkflowStaticData('node')
  const same = createHash('sha256')
    .update(JSON.stringify(items.map(({ json }) => json)))
    .digest('hex')
  const failed = Object.entries((data['failed'] ?? {}) as IDataObject).filter(([hash]) => hash !== same)
  const before = (data['failed'] as IDataObject | undefined)?.[same]
  const execution = n8n.getMode() === 'retry' && typeof before === 'string' ? before : n8n.getExecutionId()
  return {
    execution,
    /** Some items failed: a retry has the same keys. */
    hasFailed: () => {
      data['failed'] = Object.fromEntries([...failed, [same, execution]].slice(-maxFailed))
    },
    hasEnded: () => {
      if (before === execution) data['failed'] = Object.fromEntries(failed)
    },
  }
}
