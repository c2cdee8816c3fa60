import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { scopes as apiScopes, type Scope } from '../identity/scope.ts'
import { isRegistered, type OAuthClient } from './client.ts'
import { findClient } from './find-client.ts'
import { issuerOf, resourceOf } from './resource.ts'
import { assistantScopes } from './scopes.ts'

const text = (max: number) => z.optional(z.string().check(z.maxLength(max)))

/** The parameters of an authorization request, as they are sent (RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2). */
export const authorizationParameters = {
  client_id: text(300),
  redirect_uri: text(300),
  response_type: text(40),
  code_challenge: text(200),
  code_challenge_method: text(40),
  state: text(1_000),
  scope: text(600),
  resource: text(300),
}
export const parameterNames = Object.keys(authorizationParameters) as (keyof typeof authorizationParameters)[]

export const AuthorizationQuery = z.object(authorizationParameters)
export type AuthorizationQuery = z.infer<typeof AuthorizationQuery>

/** A request that may be shown to a person. */
export interface AuthorizationRequest {
  client: OAuthClient
  redirectUri: string
  state: string | undefined
  challenge: string
  /** The scopes that the assistant requests. */
  scopes: readonly Scope[]
  /** Whether the request names some of the scopes. Otherwise, they are all that it may request. */
  chosen: boolean
}

/** The address to which the response is sent: the redirect URI with the response parameters, and the issuer (RFC 9207). */
export const answerAddress = (
  ctx: Context,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  answer: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, iss: issuerOf(ctx) })) url.searchParams.set(name, value)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}

/** A request that returns to the assistant with an error, if the person follows the link. */
export class ReturnedRequest extends Error {
  override name = 'ReturnedRequest'
  readonly address: string
  constructor(address: string, description: string) {
    super(description)
    this.address = address
  }
}

const refuse = (message: string, field: string) => new Refusal('invalid', message, { code: 'invalid_client', field })

const known: readonly string[] = apiScopes

/**
 * Validates a request. For an unknown client or redirect URI, the request is refused here and never redirected (RFC 6749,
 * 4.1.2.1); any other error is returned to the client.
 */
export const readRequest = async (ctx: Context, query: AuthorizationQuery): Promise<AuthorizationRequest> => {
  const { client_id = '', redirect_uri: redirectUri = '', state } = query
  const client = await findClient(ctx, client_id)
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw refuse('The assistant asks to return to an address that it has not registered.', 'redirect_uri')
  }
  const back = (error: string, description: string) =>
    new ReturnedRequest(
      answerAddress(ctx, { redirectUri, state }, { error, error_description: description }),
      description,
    )
  if (query.response_type !== 'code') throw back('unsupported_response_type', 'The response type must be "code".')
  const challenge = query.code_challenge ?? ''
  // A challenge without a method means "plain" (RFC 7636, 4.3).
  if (query.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw back('invalid_request', 'PKCE with the method S256 is required.')
  }
  if (query.resource !== undefined && query.resource !== resourceOf(ctx)) {
    throw back('invalid_target', `The resource must be ${resourceOf(ctx)}.`)
  }
  const requested = (query.scope ?? '').split(' ').filter((name) => name !== '' && name !== 'offline_access')
  if (requested.some((name) => !known.includes(name)))
    throw back('invalid_scope', 'The request names an unknown scope.')
  // What no tool needs is left out (RFC 6749, 3.3).
  const scopes = requested.length === 0 ? assistantScopes : assistantScopes.filter((name) => requested.includes(name))
  if (scopes.length === 0) throw back('invalid_scope', 'No tool needs the scopes that the request names.')
  // The official clients request all of `scopes_supported` by default.
  const chosen = requested.length > 0 && scopes.length < assistantScopes.length
  return { client, redirectUri, state, challenge, scopes, chosen }
}
