import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { allowedOrigins } from '../net/address.ts'
import { OutboundError } from '../net/outbound.ts'
import { send } from '../net/send.ts'
import { hourMs } from '../time.ts'
import { ClientMetadata, hasDocument, type OAuthClient, oauthClients } from './client.ts'

/** The limits of a metadata document: time, size, and how long it is cached. */
const documentLimits = { totalMs: 3_000, maxBytes: 5 * 1024, ttlMs: hourMs }

/** The documents that this environment has read. */
const documents = perContext(() => new Map<string, OAuthClient>())
const maxDocuments = 100

const remember = (ctx: Context, client: OAuthClient) => {
  const cached = documents(ctx)
  const [oldest] = cached.keys()
  if (cached.size >= maxDocuments && oldest !== undefined) cached.delete(oldest)
  cached.set(client.id, client)
}

const refuse = (text: string) => new Refusal('invalid', text, { code: 'invalid_client', field: 'client_id' })

const Document = z.extend(ClientMetadata, { client_id: z.string() })

/** The address of a document must be as browsers write it: with a path, without user, fragment, and dot segments. */
const isAddress = (clientId: string): boolean => {
  if (clientId.length > 300 || !URL.canParse(clientId)) return false
  const url = new URL(clientId)
  return url.href === clientId && url.pathname !== '/' && !url.username && !url.password && !clientId.includes('#')
}

const fetchDocument = async (ctx: Context, url: string): Promise<unknown> => {
  const { totalMs, maxBytes } = documentLimits
  try {
    const { status, body, truncated } = await send({
      url,
      method: 'GET',
      totalMs,
      maxBytes,
      headers: { accept: 'application/json', 'user-agent': 'social-publishing-service' },
      guard: { allowedOrigins: allowedOrigins(ctx) },
    })
    if (status !== 200) throw refuse(`The metadata document of the assistant was answered with status ${status}.`)
    if (truncated) throw refuse(`The metadata document of the assistant is larger than ${maxBytes} bytes.`)
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof OutboundError) throw refuse(`The metadata document could not be read. ${error.message}`)
    throw refuse('The metadata document of the assistant is not valid JSON.')
  }
}

/** The client that its metadata document describes (draft-ietf-oauth-client-id-metadata-document). */
const readDocument = async (ctx: Context, id: string): Promise<OAuthClient> => {
  const parsed = z.safeParse(Document, await fetchDocument(ctx, id))
  if (!parsed.success || parsed.data.client_id !== id) {
    throw refuse('The metadata document of the assistant is not valid, or it describes another client.')
  }
  const { client_name, redirect_uris: redirectUris } = parsed.data
  const createdAtMs = ctx.clock.now()
  const name = client_name === undefined || client_name === '' ? new URL(id).host : client_name
  const client = { id, name, redirectUris, createdAtMs, expiresAtMs: createdAtMs + documentLimits.ttlMs }
  remember(ctx, client)
  return client
}

/** The client of an authorization request; throws if there is none. */
export const findClient = async (ctx: Context, clientId: string): Promise<OAuthClient> => {
  if (hasDocument(clientId) && !isAddress(clientId)) throw refuse('The client ID is not the address of a document.')
  const known = hasDocument(clientId) ? documents(ctx).get(clientId) : await oauthClients.get(ctx, { id: clientId })
  if (known !== undefined && known.expiresAtMs > ctx.clock.now()) return known
  if (hasDocument(clientId)) return readDocument(ctx, clientId)
  throw refuse('The assistant is unknown here. Remove it from your assistant, and add it again.')
}
