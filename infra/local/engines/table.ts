import type { JsonRequest } from '../iam/json.ts'
import { Fault } from './aws-server.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { startJsonServer } from './json-server.ts'
import { type ConflictOptions, Holds } from './table/holds.ts'
import { sortable } from './table/keys.ts'
import { type LagOptions, lagBehind } from './table/lag.ts'
import { batchGetItem, batchWriteItem } from './table/operations/batch.ts'
import { getItem } from './table/operations/get-item.ts'
import { query, scan } from './table/operations/read-many.ts'
import { createTable, deleteTable, describe, updateTimeToLive } from './table/operations/tables.ts'
import { type Tokens, transactWriteItems } from './table/operations/transact.ts'
import { deleteItem, putItem, updateItem } from './table/operations/write-item.ts'
import type { Session } from './table/request.ts'
import { type Row, Store } from './table/store.ts'
import { Meter, type Spent, type ThrottlingOptions } from './table/throttling.ts'

type Operation = (session: Session, input: unknown) => object | Promise<object>

const operationsWith = (tokens: Tokens): Readonly<Record<string, Operation>> => ({
  CreateTable: createTable,
  DescribeTable: describe,
  DeleteTable: deleteTable,
  UpdateTimeToLive: updateTimeToLive,
  PutItem: putItem,
  GetItem: getItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  Query: query,
  Scan: scan,
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  TransactWriteItems: transactWriteItems(tokens),
})

/** Expired items are removed once a minute of the engine's clock, up to a maximum number at a time. */
const expireEveryMs = 60_000
const maxExpired = 1_000

/** Whose tables are meant: each access key ID sees separate tables. The signature is not checked. */
const ownerOf = ({ headers }: JsonRequest): string => {
  const [, owner] = /Credential=([^/,\s]+)\//.exec(headers.authorization ?? '') ?? []
  if (owner === undefined) {
    throw new Fault(
      'MissingAuthenticationTokenException',
      'Request must contain a valid (registered) AWS Access Key ID.',
    )
  }
  return owner
}

const refusal = (error: unknown) => {
  if (error instanceof Fault) {
    const members = 'members' in error ? (error.members as object) : {}
    // The SDK matches the exception behind the "#", and reads its message by either name.
    const body = { __type: `com.amazonaws.dynamodb.v20120810#${error.type}`, message: error.message, ...members }
    return { status: 400, body }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { status: 500, body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message } }
}

export interface TableOptions extends EngineOptions {
  /** The access key ID whose tables all callers see; without it, each access key ID sees separate tables. */
  owner?: string
  /** Expired items stay, for a test that reads everything that was ever written. */
  keepExpired?: boolean
  /** Reads that are not strongly consistent lag; without it, every read shows the present state. */
  lag?: LagOptions
  /** Transactions hold their items for a time; without it, each ends before the next request is processed. */
  conflicts?: ConflictOptions
  /** A partition accepts this many units a second; without it, any number. */
  throttling?: ThrottlingOptions
  /** Called with each item before it is changed or removed; not together with `lag`, which watches the same. */
  seeEarlier?(item: Row['item']): void
  /** Called with what each request consumes. */
  spent?: Spent | undefined
  /** Called with each completed request, and the reason if it was rejected. */
  watch?(operation: string, input: unknown, refusal?: unknown): void
}

export interface TableEngine extends Engine {
  /** Whether an index of the owner's tables has an item, in any partition, whose numeric sort key is at most this. */
  hasUpTo(index: string, sortKey: number): boolean
}

/**
 * DynamoDB on 127.0.0.1, in this process. It has the operations, parameters, and errors that the service uses, and rejects
 * every parameter that it does not know. infra/README.md explains why it exists and how it is verified.
 */
export async function startTable({
  clock,
  port,
  folder,
  keepExpired,
  lag,
  conflicts,
  throttling,
  spent,
  seeEarlier,
  watch,
  guard,
  owner: everyone,
  isDurable,
}: TableOptions): Promise<TableEngine> {
  const store = new Store(folder, isDurable)
  const operations = operationsWith(new Map())
  const behind = lag && lagBehind(store, clock, lag)
  if (seeEarlier !== undefined) {
    const note = (_table: unknown, _key: unknown, before: () => Row | undefined) => {
      const row = before()
      if (row !== undefined) seeEarlier(row.item)
    }
    store.watch({ note, forget: () => {} })
  }
  const view = (consistent: boolean) => (consistent || behind === undefined ? store : behind())
  const holds = new Holds(conflicts)
  const meter = new Meter(clock, throttling, spent)
  const expiredAtMs = new Map<string, number>()

  const expire = (owner: string, nowMs: number) => {
    if (nowMs - (expiredAtMs.get(owner) ?? 0) < expireEveryMs) return
    expiredAtMs.set(owner, nowMs)
    store.atomically(() => {
      for (const table of store.tables(owner)) store.expire(table, Math.floor(nowMs / 1000), maxExpired)
    })
  }

  const answer = async (request: JsonRequest): Promise<object> => {
    const { headers, body: input } = request
    const name = String(headers['x-amz-target'] ?? '').replace('DynamoDB_20120810.', '')
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (operation === undefined)
      throw new Fault('UnknownOperationException', `The embedded table has no operation ${name}.`)
    const session: Session = { store, owner: everyone ?? ownerOf(request), nowMs: clock.now(), view, holds, meter }
    if (!keepExpired) expire(session.owner, session.nowMs)
    try {
      const body = await operation(session, input)
      watch?.(name, input)
      return body
    } catch (refusal) {
      watch?.(name, input, refusal)
      throw refusal
    }
  }

  const respond = (request: JsonRequest) => answer(request).then((body) => ({ status: 200, body }), refusal)
  const engine = await startJsonServer(port ?? 0, 'application/x-amz-json-1.0', respond, guard)
  return {
    url: engine.url,
    hasUpTo: (index, sortKey) =>
      store.tables(everyone ?? '').some((table) => store.hasUpTo(table, index, sortable({ N: String(sortKey) }))),
    async close() {
      await engine.close()
      store.close()
    },
  }
}
