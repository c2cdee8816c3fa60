import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Context, makeContext } from '../../../shared/context.ts'
import { markRestored } from '../../../shared/pauses/pauses.ts'
import { startTable } from '../engines/table.ts'
import { systemClock as clock } from '../service/system-clock.ts'
import { region } from '../template/account.ts'

/** The steps after a restore; returns a sentence. */
export type Settle = (ctx: Context, takenAtMs: number) => Promise<string>

/** Whose the table is, and its name; undefined before the first start has made it. */
const readName = (engines: string) => {
  const database = new DatabaseSync(join(engines, 'table.sqlite'), { readOnly: true })
  try {
    return database.prepare('select owner, name from tables').get()
  } finally {
    database.close()
  }
}

/** Settles a restored table while nothing else runs on it, so that nothing that may have been published is published again. */
export const settleTable = async (engines: string, takenAtMs: number, settle: Settle): Promise<string> => {
  const names = readName(engines)
  if (names === undefined) return 'It has no rows.'
  const [owner, name] = [String(names['owner']), String(names['name'])]
  const table = await startTable({ clock, folder: engines, owner, isDurable: true })
  const credentials = { accessKeyId: owner, secretAccessKey: 'none' }
  const transport = () => ({ endpoint: table.url, region })
  try {
    const ctx = makeContext({ TABLE_NAME: name }, { clock, credentials, transport })
    await markRestored(ctx)
    return await settle(ctx, takenAtMs)
  } finally {
    await table.close()
  }
}
