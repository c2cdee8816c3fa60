import * as civic from './english-civic.ts'
import * as office from './english-office.ts'
import * as trade from './english-trade.ts'
import * as others from './other-languages.ts'

/** The memories of each topic, in their order: a query names them by topic and index. */
export const topics: Readonly<Record<string, readonly string[]>> = { ...trade, ...office, ...civic, ...others }
