import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { startDynamoDb } from '../../../infra/local/dynamodb.ts'
import { startService, systemClock } from '../../../infra/local/service.ts'
import { jsonLog } from '../../../shared/log.ts'
import { synthesizeOnce } from '../../support/assembly.ts'
import { makeSeed } from '../../support/seed.ts'
import { startTableWire } from '../../support/table-wire.ts'

/** Somebody who makes requests. */
export const Author = z.object({
  pat: z.string(),
  workspaceId: z.string(),
  accounts: z.object({ bluesky: z.string(), discord: z.string() }),
})
export const Ready = z.object({ url: z.string(), authors: z.array(Author) })

const plenty = { calls: 1_000_000, perSeconds: 60 }

/** The service under load, in a process of its own so that its memory can be told; it ends with its parent's channel. */
const serve = async (folder: string, workspaces: number) => {
  const logFile = join(process.env['OVERLOAD_LOG'] ?? folder, 'service.log')
  // The bundles write to the console as on Lambda.
  process.stdout.write = (chunk: string | Uint8Array) => {
    appendFileSync(logFile, chunk)
    return true
  }
  const assembly = await synthesizeOnce()
  const database = await startDynamoDb({ folder: join(folder, 'dynamodb') })
  const wire = await startTableWire(database.endpoint)
  const service = await startService({
    clock: systemClock,
    polling: 'real',
    load: 'bundle',
    table: { endpoint: wire.endpoint, accessKeyId: 'local' },
    folder,
    assembly: join(assembly, 'assembly'),
    log: jsonLog((line) => appendFileSync(logFile, `${line}\n`)),
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
  })
  const authors: z.infer<typeof Author>[] = []
  for (let n = 0; n < workspaces; n += 1) authors.push(await makeSeed(service.context))
  process.send?.({ url: service.baseUrl, authors })
  process.once('disconnect', async () => {
    console.error(
      [...wire.counts]
        .sort()
        .map(([name, times]) => `  ${name}: ${times}`)
        .join('\n'),
    )
    await service.close()
    wire.close()
    await database.close()
    process.exit(0)
  })
}

const [, , folder, workspaces] = process.argv
if (import.meta.main && folder !== undefined) await serve(folder, Number(workspaces))
