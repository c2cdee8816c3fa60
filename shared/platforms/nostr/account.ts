import * as z from 'zod/mini'
import type { ConnectedAccount } from '../account.ts'

const Stored = z.object({ secretKey: z.string() })

/** The key of an account, its relays, and its media server. */
export const keysOf = ({ credentials, details }: Pick<ConnectedAccount, 'credentials' | 'details'>) => ({
  ...z.parse(Stored, credentials),
  relays: String(details['relays']).split(' '),
  mediaServer: details['mediaServer'] === undefined ? undefined : String(details['mediaServer']),
})
