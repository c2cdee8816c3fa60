import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { decryptText, encryptText, newDataKey } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { absent, equal } from '../db/expression.ts'
import { put } from '../db/table.ts'
import type { PlatformId } from '../resources.ts'
import { dayMs } from '../time.ts'
import { AppSecret } from './app-secret.ts'

/** What an app is for: a server that a person named, and the address to which it sends people back. */
export interface ServerAppKey {
  platform: PlatformId
  server: string
  redirectUri: string
}

/** The app of the service at one server, for all workspaces. */
const ServerApp = z.object({
  id: z.string(),
  /** The data key of this row only, as encrypted by KMS. */
  dataKey: z.string(),
  clientId: z.string(),
  sealed: z.string(),
})
type ServerApp = z.infer<typeof ServerApp>

const serverApps = entity({
  type: 'ServerApp',
  shape: ServerApp,
  key: ({ id }: Pick<ServerApp, 'id'>) => ({ PK: `SRV#${id}`, SK: 'APP' }),
})

const idOf = ({ platform, server, redirectUri }: ServerAppKey): string =>
  `srv_${createHash('sha256').update(`${platform}\n${server}\n${redirectUri}`).digest('hex').slice(0, 40)}`

const purpose = 'app'

/** After a year the app is registered again. Accounts retain what they need of the app that they were connected with. */
const lifeMs = 365 * dayMs

/** The app at a server; undefined if there is none. */
export const readServerApp = async (ctx: Context, key: ServerAppKey): Promise<AppSecret | undefined> => {
  const row = await serverApps.get(ctx, { id: idOf(key) })
  return row && z.parse(AppSecret, JSON.parse(await decryptText(ctx, row, purpose, row.sealed)))
}

/**
 * Stores an app that was just registered, as the first one or instead of one that the server no longer knows. Of two that
 * are registered at the same time the first one stays, and both callers get it.
 */
export const storeServerApp = async (
  ctx: Context,
  key: ServerAppKey,
  app: AppSecret,
  replaced: AppSecret | undefined,
): Promise<AppSecret> => {
  const id = idOf(key)
  const holder = { id, dataKey: await newDataKey(ctx, id) }
  const sealed = await encryptText(ctx, holder, purpose, JSON.stringify(app))
  const row = { ...holder, clientId: app.clientId, sealed }
  const ttl = Math.ceil((ctx.clock.now() + lifeMs) / 1000)
  const when = replaced === undefined ? absent('PK') : equal('clientId', replaced.clientId)
  if (await wasCurrent(put(ctx, { ...serverApps.item(row), ttl }, when))) return app
  return (await readServerApp(ctx, key)) ?? app
}
