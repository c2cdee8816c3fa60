import { AsyncLocalStorage } from 'node:async_hooks'
import type { Spent } from '../../infra/local/engines/table/throttling.ts'
import type { Item } from '../../infra/local/engines/table/value.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'

/** The request units that one operation of one function consumed of one type of rows, in the table or in an index. */
export interface Consumption {
  functionName: string
  operation: string
  /** The `type` attribute of the rows; counters have none, and a read that found nothing is `none`. */
  itemType: string
  index?: string
  writeUnits: number
  readUnits: number
}

const typeOf = (item: Item | undefined): string => {
  const { type, PK } = item ?? {}
  if (type && 'S' in type) return type.S
  return PK && 'S' in PK && PK.S.includes('#COUNT#') ? 'Counter' : 'none'
}

/** Records what functions consume of the embedded table: `observe` says which function calls, `spent` what the call costs. */
export const recordConsumption = () => {
  const calls = new AsyncLocalStorage<Pick<Consumption, 'functionName' | 'operation'>>()
  const rows = new Map<string, Consumption>()
  const observe: ObserveFunction = ({ service, functionName, action }, run) =>
    service === 'dynamodb' ? calls.run({ functionName, operation: action }, run) : run()
  const spent: Spent = (kind, { index, units, item }) => {
    const call = calls.getStore()
    if (call === undefined) return
    const of = { ...call, itemType: typeOf(item), ...(index === undefined ? {} : { index }) }
    const key = JSON.stringify(of)
    const row = rows.get(key) ?? { ...of, writeUnits: 0, readUnits: 0 }
    row[kind === 'Write' ? 'writeUnits' : 'readUnits'] += units
    rows.set(key, row)
  }
  return {
    observe,
    spent,
    /** What all functions consume while something runs. */
    during: async (run: () => Promise<unknown>): Promise<readonly Consumption[]> => {
      rows.clear()
      await run()
      return [...rows.values()]
    },
  }
}
