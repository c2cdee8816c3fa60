import * as z from 'zod/mini'
import { findQueue } from './broker.ts'
import { operation } from './operation.ts'
import { attributesOf, checkAttributes, checkQueueName, defaultsFor, selectAttributes } from './queue-attributes.ts'
import { QueueRefusal } from './refusal.ts'

const url = { QueueUrl: z.string() }
const Texts = z.record(z.string(), z.string())

export const createQueue = operation(
  z.object({ QueueName: z.string(), Attributes: z.optional(Texts), tags: z.optional(Texts) }),
  (broker, { QueueName, Attributes = {}, tags = {} }) => {
    const fifo = Attributes['FifoQueue'] === 'true'
    checkQueueName(QueueName, fifo)
    const attributes = checkAttributes(broker, Attributes, fifo)
    const existing = broker.queues.get(QueueName)
    const different = Object.keys(attributes).find((name) => existing && existing.attributes[name] !== attributes[name])
    if (different) {
      const message = `A queue already exists with the same name and a different value for attribute ${different}`
      throw new QueueRefusal('QueueNameExists', message)
    }
    if (!existing) {
      broker.changed(broker.makeQueue(QueueName, { ...defaultsFor(fifo), ...attributes }, tags))
    }
    return { QueueUrl: broker.queueUrl(QueueName) }
  },
)

export const getQueueUrl = operation(z.object({ QueueName: z.string() }), (broker, { QueueName }) => ({
  QueueUrl: broker.queueUrl(findQueue(broker, QueueName).name),
}))

export const listQueues = operation(
  z.object({
    QueueNamePrefix: z.optional(z.string()),
    MaxResults: z.optional(z.number()),
    NextToken: z.optional(z.string()),
  }),
  (broker, { QueueNamePrefix = '', MaxResults, NextToken = '' }) => {
    const names = [...broker.queues.keys()]
      .filter((name) => name.startsWith(QueueNamePrefix) && name > NextToken)
      .sort()
    const page = names.slice(0, MaxResults ?? 1_000)
    const more = MaxResults !== undefined && page.length < names.length
    return { ...(page.length > 0 && { QueueUrls: page.map(broker.queueUrl) }), ...(more && { NextToken: page.at(-1) }) }
  },
)

export const deleteQueue = operation(z.object(url), (broker, { QueueUrl }) => {
  const queue = findQueue(broker, QueueUrl)
  broker.queues.delete(queue.name)
  queue.messages.clear()
  queue.firstSendings.clear()
  broker.changed(queue)
  return {}
})

export const purgeQueue = operation(z.object(url), (broker, { QueueUrl }) => {
  const queue = findQueue(broker, QueueUrl)
  queue.messages.clear()
  broker.changed(queue)
  return {}
})

export const getQueueAttributes = operation(
  z.object({ ...url, AttributeNames: z.optional(z.array(z.string())) }),
  (broker, { QueueUrl, AttributeNames = [] }) => {
    const all = attributesOf(findQueue(broker, QueueUrl), broker.now())
    return { Attributes: selectAttributes(all, AttributeNames) }
  },
)

export const setQueueAttributes = operation(
  z.object({ ...url, Attributes: Texts }),
  (broker, { QueueUrl, Attributes }) => {
    const queue = findQueue(broker, QueueUrl)
    if ('FifoQueue' in Attributes) throw new QueueRefusal('InvalidAttributeName', 'Unknown Attribute FifoQueue.')
    const attributes = checkAttributes(broker, Attributes, queue.attributes['FifoQueue'] === 'true')
    queue.attributes = { ...queue.attributes, ...attributes }
    queue.modifiedAt = broker.now()
    broker.changed(queue)
    return {}
  },
)

export const tagQueue = operation(z.object({ ...url, Tags: Texts }), (broker, { QueueUrl, Tags }) => {
  const queue = findQueue(broker, QueueUrl)
  queue.tags = { ...queue.tags, ...Tags }
  broker.changed(queue)
  return {}
})

export const untagQueue = operation(
  z.object({ ...url, TagKeys: z.array(z.string()) }),
  (broker, { QueueUrl, TagKeys }) => {
    const queue = findQueue(broker, QueueUrl)
    queue.tags = Object.fromEntries(Object.entries(queue.tags).filter(([key]) => !TagKeys.includes(key)))
    broker.changed(queue)
    return {}
  },
)

export const listQueueTags = operation(z.object(url), (broker, { QueueUrl }) => ({
  Tags: findQueue(broker, QueueUrl).tags,
}))
