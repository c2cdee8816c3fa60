import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { parseOrRefuse } from '../../http/parse-input.ts'
import { cutText } from '../../text/cut.ts'
import type { Connection } from '../account.ts'
import { originOf } from '../base-urls.ts'
import type { ReadLogin } from '../connector.ts'
import { PlatformError } from '../platform-error.ts'
import { assertServer, serverAddress } from '../server.ts'
import { defaultRelays, definition, withMediaServer } from './definition.ts'
import { kinds, type SignedEvent } from './event.ts'
import { npubOf, publicKeyOf, readSecretKey } from './keys.ts'
import { NostrLogin } from './login.ts'
import { RelayFailure, RelayRefusal, withRelay } from './relay.ts'
import { assertRelay } from './relay-address.ts'

const maxName = 100

/** The profile at one relay, or why it did not respond. */
const askRelay = async (ctx: Context, address: string, secretKey: string): Promise<readonly SignedEvent[] | string> => {
  const filter = { authors: [publicKeyOf(secretKey)], kinds: [kinds.profile], limit: 1 }
  try {
    return await withRelay(ctx, { address, secretKey }, (relay) => relay.read(filter))
  } catch (error) {
    // A relay that denies reads may still accept posts.
    if (error instanceof RelayRefusal) return []
    if (error instanceof RelayFailure) return `${address}: ${error.message}`
    throw error
  }
}

const Profile = z.object({
  name: z.catch(z.optional(z.string()), undefined),
  display_name: z.catch(z.optional(z.string()), undefined),
  picture: z.catch(z.optional(z.string()), undefined),
})

const profileIn = (events: readonly SignedEvent[], publicKey: string): z.infer<typeof Profile> => {
  const own = events.filter(({ kind, pubkey }) => kind === kinds.profile && pubkey === publicKey)
  const [newest] = own.toSorted((a, b) => b.created_at - a.created_at)
  try {
    return z.parse(Profile, JSON.parse(newest?.content ?? '{}'))
  } catch {
    return {}
  }
}

const standInRelay = (ctx: Context): readonly string[] | undefined => {
  const origin = originOf(ctx, definition.id)
  return origin === undefined ? undefined : [origin.replace(/^http/, 'ws')]
}

/** Checks the key and the relays, at least one of which must respond, and returns the account of the key. */
export const connect = async (ctx: Context, login: NostrLogin): Promise<Connection> => {
  const secretKey = readSecretKey(login.secretKey) ?? ''
  const named = login.relays ?? standInRelay(ctx) ?? defaultRelays
  const relays = [...new Set(named.map((relay) => assertRelay(ctx, relay, 'relays')))]
  const { mediaServer: server } = login
  const media = server === undefined ? {} : { mediaServer: assertServer(ctx, serverAddress(server), 'mediaServer') }
  const publicKey = publicKeyOf(secretKey)
  const effect = { service: definition.id, action: 'REQ', resource: relays.join(' ') }
  const answers = await ctx.observe(effect, () => Promise.all(relays.map((relay) => askRelay(ctx, relay, secretKey))))
  const silent = answers.filter((answer) => typeof answer === 'string')
  if (silent.length === relays.length) {
    throw new PlatformError('transient', 'Nostr relays did not answer. Check their addresses.', {
      detail: silent.join('; '),
    })
  }
  const profile = profileIn(
    answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer)),
    publicKey,
  )
  const npub = npubOf(publicKey)
  return {
    platform: definition.id,
    providerName: definition.name,
    externalId: publicKey,
    username: npub,
    displayName: cutText((profile.display_name || profile.name || npub).trim(), maxName),
    profileImageUrl: profile.picture ?? null,
    credentials: { secretKey },
    details: { relays: relays.join(' '), ...media, ...(server === undefined ? {} : { tier: withMediaServer }) },
  }
}

/** The login in a submitted form; throws 400 if a field is wrong. */
export const readLogin: ReadLogin = ({ secretKey, relays = '', mediaServer = '' }) => {
  const listed = relays.split(/[\s,]+/).filter(Boolean)
  const sent = {
    secretKey,
    ...(listed.length === 0 ? {} : { relays: listed }),
    ...(mediaServer.trim() === '' ? {} : { mediaServer: mediaServer.trim() }),
  }
  const login = parseOrRefuse(NostrLogin, sent, 'form')
  return (ctx) => connect(ctx, login)
}
