import * as z from 'zod/mini'
import { platformIds } from '../../../shared/resources.ts'
import { Stop } from '../stop.ts'
import { type Caller, call } from './caller.ts'
import { walkConnect } from './walk-connect.ts'

const Account = z.object({
  id: z.string(),
  providerId: z.string(),
  providerName: z.string(),
  displayName: z.nullable(z.string()),
  isConnected: z.boolean(),
  needsReconnect: z.boolean(),
})
export type Account = z.infer<typeof Account>

/** The accounts that can be published to. */
export const listLive = async (caller: Caller): Promise<Account[]> => {
  const accounts = await call(caller, 'GET /api/social-accounts', z.array(Account))
  return accounts.filter(({ isConnected, needsReconnect }) => isConnected && !needsReconnect)
}

const idsByPlatform = (accounts: readonly Account[]): Record<string, string> =>
  Object.fromEntries(accounts.map(({ providerId, id }) => [providerId, id]))

/** Connects an account on every platform without one, or all of them again; returns the IDs by platform. */
export const connectAccounts = async (session: Caller, anew: boolean): Promise<Record<string, string>> => {
  const before = idsByPlatform(await listLive(session))
  for (const platform of platformIds) {
    if (anew || before[platform] === undefined) await walkConnect(session, platform)
  }
  const accounts = idsByPlatform(await listLive(session))
  const missing = platformIds.filter((platform) => accounts[platform] === undefined)
  if (missing.length > 0) throw new Stop(`These accounts could not be connected: ${missing.join(', ')}.`)
  return accounts
}
