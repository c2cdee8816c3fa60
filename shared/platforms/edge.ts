import type { Context } from '../context.ts'
import { allowedOrigins, isAllowedOrigin, refuseAddress } from '../net/address.ts'
import { cutText } from '../text/cut.ts'
import { asSingleLine } from '../text/single-line.ts'
import type { ConnectedAccount, Connection } from './account.ts'
import type { PlatformAdapter, PlatformCall, Prepared, ProbeResult, PublishingCalls } from './adapter.ts'
import { originOf } from './base-urls.ts'
import type { PlatformDefinition } from './definition.ts'
import { classified, commonErrors, PlatformError } from './platform-error.ts'
import type { PublishedPost } from './post.ts'

/**
 * The most that the service stores of a platform's response. A server that a person named can return anything, so the bounds
 * are the same for all; those of the platforms themselves are far below them.
 */
const bounds = {
  /** Of names, in UTF-16 code units: longer ones are cut. */
  name: 400,
  /** Of addresses: longer ones are left out. */
  url: 2_000,
  /** Of IDs: with a longer one, an account is not connected, and the outcome of a post is unknown. */
  id: 500,
  /** Of credentials, and of the details stored with them, as JSON. */
  credentialsBytes: 64 * 1024,
  detailsBytes: 16 * 1024,
  /** Of what was prepared for a post, as JSON: together with the rest of its row, it stays below DynamoDB's 400 KB. */
  preparedBytes: 100 * 1024,
} as const

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const isId = (id: string) => id.length > 0 && id.length <= bounds.id && id.isWellFormed() && !/\p{Cc}/u.test(id)

/** A name as one line of bounded length; null if nothing is left. */
const nameFrom = (name: string | null): string | null =>
  // Cut twice: finding graphemes in a long text is slow.
  cutText(asSingleLine((name ?? '').slice(0, 4 * bounds.name).toWellFormed()).trim(), bounds.name) || null

/** The name of an account at a server that a person named: it ends in the host that was called, however long it is. */
export const nameAt = (name: string, host: string): string =>
  `${cutText(name.slice(0, 4 * bounds.name), bounds.name - host.length - 1)}@${host}`

const urlFrom = (address: string | null): URL | null => {
  const url = address === null || address.length > bounds.url ? null : URL.parse(address)
  // URL escapes increase the length.
  return url !== null && url.href.length <= bounds.url ? url : null
}

/** The address of a picture that a browser may load: public and https, as that of a webhook; null otherwise. */
const pictureFrom = (ctx: Context, address: string | null): string | null => {
  const url = urlFrom(address)
  return url !== null && refuseAddress(url, allowedOrigins(ctx)) === undefined ? url.href : null
}

const isBelow = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`)

/** The hosts on which an account's posts are published. */
const postHosts = ({ postsAt }: PlatformDefinition, { details }: Pick<ConnectedAccount, 'details'>): string[] => {
  if (Array.isArray(postsAt)) return [...postsAt]
  const { host } = URL.parse(String(details[String(postsAt)])) ?? {}
  // A site responds with and without `www.`, and links its posts with either.
  return host === undefined ? [] : [host.replace(/^www\./, '')]
}

/** The address of a post, if it is https and at the platform or at the server of the account; null otherwise. */
const postUrlFrom = (
  definition: PlatformDefinition,
  { ctx, account }: PlatformCall,
  address: string,
): string | null => {
  const url = urlFrom(address)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.origin === originOf(ctx, definition.id)) return url.href
  const isWeb = url.protocol === 'https:' || isAllowedOrigin(url, allowedOrigins(ctx))
  return isWeb && postHosts(definition, account).some((host) => isBelow(url.host, host)) ? url.href : null
}

/** A published post as stored; undefined if its ID cannot be stored. */
const postFrom = <Post extends PublishedPost>(
  definition: PlatformDefinition,
  call: PlatformCall,
  post: Post,
): Post | undefined => {
  if (post.id !== null && !isId(post.id)) return undefined
  const url = post.url === null ? null : postUrlFrom(definition, call, post.url)
  if (url !== null || post.url === null) return { ...post, url }
  const left = `${definition.name} returned an address of the post that does not belong to it. The address was left out.`
  return { ...post, url, warning: post.warning === undefined ? left : `${post.warning} ${left}` }
}

/** An error of a publishing call without what cannot be stored. */
const errorFrom = (definition: PlatformDefinition, call: PlatformCall, error: unknown): unknown => {
  if (!(error instanceof PlatformError)) return error
  const { info } = error
  const original = info.original && postFrom(definition, call, info.original)
  if (original === undefined) delete info.original
  else info.original = original
  if (info.ref !== undefined && bytesOf(info.ref) > bounds.preparedBytes) delete info.ref
  return error
}

const preparedFrom = ({ name }: PlatformDefinition, prepared: Prepared): Prepared => {
  if (bytesOf(prepared) <= bounds.preparedBytes) return prepared
  throw classified(name, commonErrors.noClearResponse, { detail: 'the answer is too long' })
}

/**
 * The publishing calls of a platform, with responses reduced to what can be stored and shown. A response without a usable ID
 * leaves the outcome of the call unknown, like every other unexpected body.
 */
const publishingEdge = (definition: PlatformDefinition, { prepare, ...calls }: PublishingCalls): PublishingCalls => ({
  ...calls,
  ...(prepare && {
    prepare: async (call, resume) => preparedFrom(definition, await prepare(call, resume)),
  }),
  async commit(call, ...rest) {
    const post = await calls.commit(call, ...rest).catch((error: unknown) => {
      throw errorFrom(definition, call, error)
    })
    const storable = postFrom(definition, call, post)
    if (storable !== undefined) return storable
    throw classified(definition.name, commonErrors.mayBeLive, { detail: 'the ID of the post cannot be stored' })
  },
  async probe(call, attempt): Promise<ProbeResult> {
    const result = await calls.probe(call, attempt)
    return result.kind === 'published' ? (postFrom(definition, call, result) ?? { kind: 'unclear' }) : result
  },
})

/** An adapter with such calls. */
export const adapterEdge = (adapter: PlatformAdapter): PlatformAdapter => {
  const { commentCalls: comments } = adapter
  return {
    ...adapter,
    ...publishingEdge(adapter, adapter),
    ...(typeof comments === 'object' ? { commentCalls: publishingEdge(adapter, comments) } : {}),
  }
}

/** The account that a login reached, as stored and shown. Throws if its ID or its credentials cannot be stored. */
export const connectionFrom = (ctx: Context, connection: Connection): Connection => {
  const { externalId, credentials, details } = connection
  const isUsable =
    isId(externalId) &&
    bytesOf(credentials) <= bounds.credentialsBytes &&
    bytesOf(details) <= bounds.detailsBytes &&
    (connection.sharedGrant === undefined || isId(connection.sharedGrant))
  if (!isUsable) {
    throw new PlatformError('invalid', `${connection.providerName} returned an account that cannot be stored.`)
  }
  return {
    ...connection,
    username: nameFrom(connection.username),
    displayName: nameFrom(connection.displayName),
    profileImageUrl: pictureFrom(ctx, connection.profileImageUrl),
  }
}
