import * as z from 'zod/mini'
import { blueskySeed } from '../platforms/bluesky/seed.ts'
import { Stop } from '../start/stop.ts'
import { type Caller, call } from './caller.ts'

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

type Connect = (session: Caller) => Promise<void>

const connectBluesky: Connect = async (session) => {
  const { handle, appPassword } = blueskySeed.account
  await call(session, 'POST /api/social-accounts/connect/bluesky', z.unknown(), { identifier: handle, appPassword })
}

/** Goes where a person goes: to Discord's page, to the button on it, and back to us. */
const connectDiscord: Connect = async (session) => {
  const Begun = z.object({ authorizeUrl: z.string() })
  const { authorizeUrl } = await call(session, 'POST /api/social-accounts/connect/discord', Begun)
  const body = new URLSearchParams({ answer: 'allow' })
  const decided = await fetch(authorizeUrl, { method: 'POST', body, redirect: 'manual' })
  const back = decided.headers.get('location')
  if (back === null) throw new Stop(`The Discord stand-in answered ${decided.status}: ${await decided.text()}`)
  await fetch(back)
}

const connects: Readonly<Record<string, Connect>> = { bluesky: connectBluesky, discord: connectDiscord }

const idsByPlatform = (accounts: readonly Account[]): Record<string, string> =>
  Object.fromEntries(accounts.map(({ providerId, id }) => [providerId, id]))

/** Connects an account of every platform where none is, or all of them anew; answers the ids by platform. */
export const connectAccounts = async (session: Caller, anew: boolean): Promise<Record<string, string>> => {
  const before = idsByPlatform(await listLive(session))
  for (const [platform, connect] of Object.entries(connects)) {
    if (anew || before[platform] === undefined) await connect(session)
  }
  const accounts = idsByPlatform(await listLive(session))
  const missing = Object.keys(connects).filter((platform) => accounts[platform] === undefined)
  if (missing.length > 0) throw new Stop(`These accounts could not be connected: ${missing.join(', ')}.`)
  return accounts
}
