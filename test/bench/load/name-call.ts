import type { ClientRequest } from 'node:http'
import * as z from 'zod/mini'
import { countKeys } from '../../../shared/resources.ts'

const Value = z.object({ S: z.optional(z.string()) })
const Item = z.record(z.string(), z.unknown())
const Key = z.object({ PK: Value, SK: Value })
const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Key) })) })
const Update = z.object({ Key })
const Part = z.object({
  Put: z.optional(z.object({ Item })),
  Update: z.optional(z.object({ Key })),
  Delete: z.optional(z.object({ Key })),
  ConditionCheck: z.optional(z.object({ Key })),
})
const Transaction = z.object({ TransactItems: z.array(Part) })
const Messages = z.object({ QueueUrl: z.string() })

/** What a row is, by its key: the words of the partition key and of the sort key, without ids. */
const kindOf = ({ PK, SK }: z.infer<typeof Key>): string => {
  const types = [PK.S, SK.S].flatMap((part = '') => part.split('#')).filter((type) => /^[A-Z]{2,12}$/.test(type))
  return [...new Set(types)].join(' ')
}

const listOf = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, of]) => (of.length > 1 ? `${of.length} × ${name}` : name))
    .join(', ')

const partName = ({ Put, Update, Delete, ConditionCheck }: z.infer<typeof Part>): string => {
  if (Put) return `Put ${z.parse(Value, Put.Item['type']).S ?? ''}`
  const given = Update ?? Delete ?? ConditionCheck
  return `${Update ? 'Update' : Delete ? 'Delete' : 'Check'} ${given ? kindOf(given.Key) : ''}`
}

const namers: Readonly<Record<string, (input: unknown) => string>> = {
  BatchGetItem: (input) => {
    const keys = Object.values(z.parse(Batch, input).RequestItems).flatMap(({ Keys }) => Keys)
    return `BatchGetItem: ${listOf(keys.map(kindOf))}`
  },
  UpdateItem: (input) => {
    const { Key: key } = z.parse(Update, input)
    return key.PK.S?.startsWith(countKeys) ? 'UpdateItem: rate counter' : `UpdateItem: ${kindOf(key)}`
  },
  TransactWriteItems: (input) =>
    `TransactWriteItems: ${listOf(z.parse(Transaction, input).TransactItems.map(partName))}`,
  SendMessageBatch: (input) => `SendMessageBatch: ${z.parse(Messages, input).QueueUrl.split('-').slice(1).join('-')}`,
}

/** What a call to an engine is about: its operation, and the rows or the queue that it names. */
export const nameCall = (request: ClientRequest, body: string): string => {
  const target = String(request.getHeader('x-amz-target') ?? '')
  const operation = target.slice(target.indexOf('.') + 1)
  if (operation === '') return `${request.method} ${request.path.split('/')[1] ?? ''}`
  return namers[operation]?.(JSON.parse(body)) ?? operation
}
