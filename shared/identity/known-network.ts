import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import type { BatchRows, Key, Write } from '../db/table.ts'
import { hashedNetwork } from '../limits/network.ts'
import { dayMs } from '../time.ts'

/** A network from which a person signed in to an account; the key hides the address. */
const KnownNetwork = z.object({ email: z.string(), network: z.string(), expiresAtMs: z.number() })

const retentionMs = 30 * dayMs

const knownNetworks = entity({
  type: 'KnownPlace',
  shape: KnownNetwork,
  key: ({ email, network }: { email: string; network: string }) => ({ PK: `EMAIL#${email}`, SK: `PLACE#${network}` }),
  indexes: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
})

const networkIdOf = (email: string, address: string) => ({ email, network: hashedNetwork(address) })

/** The key of the row that says whether the account was signed in to from this address in the last 30 days. */
export const knownNetworkKey = (email: string, address: string): Key => knownNetworks.key(networkIdOf(email, address))

export const isKnownNetwork = (ctx: Context, rows: BatchRows, email: string, address: string): boolean => {
  const row = knownNetworks.from(rows, networkIdOf(email, address))
  return row !== undefined && row.expiresAtMs > ctx.clock.now()
}

/** The write that stores for 30 days that the account was signed in to from this address. */
export const rememberNetwork = (ctx: Context, email: string, address: string): Write => ({
  put: knownNetworks.item({ ...networkIdOf(email, address), expiresAtMs: ctx.clock.now() + retentionMs }),
})
