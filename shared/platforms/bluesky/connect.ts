import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { parseOrRefuse } from '../../http/parse-input.ts'
import type { Connection } from '../account.ts'
import { originOf } from '../base-urls.ts'
import type { ReadLogin } from '../connector.ts'
import { PlatformError } from '../platform-error.ts'
import { assertServer } from '../server.ts'
import { definition } from './definition.ts'
import { BlueskyLogin } from './login.ts'
import { readClaims, xrpc } from './session.ts'

/** Where most people have their account. */
const mainService = 'https://bsky.social'

const DidDocument = z.object({ service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })) })

const Session = z.object({
  accessJwt: z.string(),
  refreshJwt: z.string(),
  did: z.string().check(z.startsWith('did:')),
  handle: z.string(),
  active: z.optional(z.boolean()),
  didDoc: z.catch(z.optional(DidDocument), undefined),
})
type Session = z.infer<typeof Session>

/** The server that holds the account, which need not be the one where its owner signs in (AT Protocol, DID). */
const homeOf = (ctx: Context, session: Session, loginService: string) => {
  const home = session.didDoc?.service.find(({ id }) => id.endsWith('#atproto_pds'))?.serviceEndpoint
  return typeof home === 'string' ? assertServer(ctx, home, 'service') : loginService
}

const wrongPassword = ({ info, message }: PlatformError) => {
  const unknown = 'Bluesky rejected this handle and app password. Check both.'
  const text = info.code === 'AuthFactorTokenRequired' ? message : unknown
  return new Refusal('invalid', text, { code: 'invalid_app_password', field: 'appPassword' })
}

const signIn = async (ctx: Context, service: string, login: BlueskyLogin) => {
  const json = { identifier: login.identifier.trim().replace(/^@/, ''), password: login.appPassword }
  const method = 'com.atproto.server.createSession'
  const session = await xrpc(ctx, { service, method, input: { json }, reply: Session }).catch((error: unknown) => {
    throw error instanceof PlatformError && error.errorClass === 'auth' ? wrongPassword(error) : error
  })
  // A main password permits everything, and is valid until it is changed.
  if (readClaims(session.accessJwt)?.scope === 'com.atproto.access') {
    const text =
      'Bluesky app password required: this is the main password of the account. Create an app password in the settings of Bluesky.'
    throw new Refusal('invalid', text, { code: 'app_password_required', field: 'appPassword' })
  }
  if (session.active === false)
    throw new PlatformError('permission', 'Bluesky account is not active. Activate it, then connect it again.')
  return session
}

const Profile = z.object({ displayName: z.optional(z.string()), avatar: z.optional(z.string()) })

/** Name and image come from a host other than the account's server; the connection does not depend on them. */
const profileOf = async (ctx: Context, service: string, { did, accessJwt: token }: Session) => {
  const method = 'app.bsky.actor.getProfile'
  try {
    return await xrpc(ctx, { service, method, token, query: { actor: did }, reply: Profile })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return {}
  }
}

/** Signs in and returns the account that was reached; the password is not stored. */
export const connect = async (ctx: Context, login: BlueskyLogin): Promise<Connection> => {
  const loginService = assertServer(ctx, login.service ?? originOf(ctx, definition.id) ?? mainService, 'service')
  const session = await signIn(ctx, loginService, login)
  const service = homeOf(ctx, session, loginService)
  const { displayName, avatar }: z.infer<typeof Profile> = await profileOf(ctx, service, session)
  const { did, handle, accessJwt, refreshJwt } = session
  return {
    platform: definition.id,
    providerName: definition.name,
    externalId: did,
    username: handle,
    displayName: displayName || handle,
    profileImageUrl: avatar ?? null,
    credentials: { accessJwt, refreshJwt },
    details: { service },
  }
}

const withScheme = (server: string) => (server.includes('://') ? server : `https://${server}`)

/** The login in a submitted form; throws 400 if a field is missing. */
export const readLogin: ReadLogin = ({ identifier, appPassword, service = '' }) => {
  const server = service.trim()
  const sent = { identifier, appPassword, ...(server === '' ? {} : { service: withScheme(server) }) }
  const login = parseOrRefuse(BlueskyLogin, sent, 'form')
  return (ctx) => connect(ctx, login)
}
