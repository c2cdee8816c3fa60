import * as z from 'zod/mini'
import { findQueue } from './broker.ts'
import { operation } from './operation.ts'
import { attributesOf, checkAttributes, checkQueueName, defaultsFor, selectAttributes } from './queue-attributes.ts'
import { QueueRefusal } from './refusal.ts'

const url = { QueueUrl: z.string() }
const Texts = z.record(z.string(), z.string())

export const createQueue = operation(
  z.object({ QueueName: z.string(), Attributes: z.optional(Texts) }),
  (broker, { QueueName, Attributes = {} }) => {
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
      broker.changed(broker.makeQueue(QueueName, { ...defaultsFor(fifo), ...attributes }))
    }
    return { QueueUrl: broker.queueUrl(QueueName) }
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
