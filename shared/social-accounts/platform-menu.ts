import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { assertOpen } from '../platforms/api-end.ts'
import { readAppSecret } from '../platforms/app-secret.ts'
import { definitionOf } from '../platforms/definitions.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { type PlatformId, platformIds } from '../resources.ts'
import { CreateConnectLink } from './connect-request.ts'
import {
  type CreatedLink,
  countAttempt,
  createLink,
  type LinkIntent,
  linkSeconds,
  maxChoices,
  type NewLink,
  type StoredLink,
} from './oauth-state.ts'
import { orRefusal } from './platform-refusal.ts'

const isUnique = (names: readonly string[]) => new Set(names).size === names.length

/** The parameters of a link whose page asks for the platform. */
export const CreatePlatformsLink = z
  .extend(CreateConnectLink, {
    platforms: z.optional(
      described(
        z
          .array(z.enum(platformIds))
          .check(
            z.minLength(1),
            z.maxLength(platformIds.length),
            z.refine(isUnique, { error: 'names a platform twice' }),
          ),
        'The platforms to choose from, each once. Without it, all that the service has an app for. With one, the page does not ask.',
      ),
    ),
  })
  .register(z.globalRegistry, {
    id: 'CreatePlatformsLinkRequest',
    description: 'The platforms to choose from, where the person returns, and whose account it is.',
  })

/** Whether people log in with an app of the operator. */
const needsApp = (platform: PlatformId): boolean => {
  const { connect, server } = definitionOf(platform)
  return connect === 'oauth' && server === undefined
}

/** Throws a PlatformError if a platform has closed its API, or if the operator has stored no app although it needs one. */
const assertConnectable = async (ctx: Context, platform: PlatformId): Promise<void> => {
  assertOpen(ctx, definitionOf(platform))
  if (needsApp(platform)) await readAppSecret(ctx, definitionOf(platform))
}

const isConnectable = async (ctx: Context, platform: PlatformId): Promise<boolean> => {
  try {
    await assertConnectable(ctx, platform)
    return true
  } catch (error) {
    // A secret that cannot be read at the moment says nothing about the platform.
    return !(error instanceof PlatformError)
  }
}

/** The platforms of a link that the service can connect, in the order in which the service names them. */
export const offeredPlatforms = async (
  ctx: Context,
  { platforms }: Pick<StoredLink, 'platforms'>,
): Promise<readonly PlatformId[]> => {
  const named = platformIds.filter((platform) => platforms === undefined || platforms.includes(platform))
  const offered = await Promise.all(named.map((platform) => isConnectable(ctx, platform)))
  return named.filter((_, index) => offered[index])
}

const forPlatform = (platform: PlatformId) => ({ platform, providerName: definitionOf(platform).name })

/**
 * Creates a link whose page asks for one of the platforms; with one platform, it is a link for that. Throws 503 if the
 * service has no app for one that is named, and 400 if one has closed its API.
 */
export const createPlatformsLink = async (
  ctx: Context,
  intent: LinkIntent & Pick<NewLink, 'expiresInSeconds'>,
  platforms: readonly PlatformId[] | undefined,
): Promise<CreatedLink> => {
  await orRefusal(ctx, () => Promise.all((platforms ?? []).map((platform) => assertConnectable(ctx, platform))))
  if (platforms === undefined) return createLink(ctx, intent)
  const [first, ...others] = platforms
  const isSingle = first !== undefined && others.length === 0
  return createLink(ctx, { ...intent, ...(isSingle ? forPlatform(first) : { platforms: [...platforms] }) })
}

/**
 * The ticket of a new link for one platform. It lives as long as a login, and never longer than the link that it comes from.
 * Undefined if that link has created too many. Throws 503 if the service has no app for the platform.
 */
export const linkFrom = async (
  ctx: Context,
  ticket: string,
  from: StoredLink,
  platform: PlatformId,
): Promise<string | undefined> => {
  await orRefusal(ctx, () => assertConnectable(ctx, platform))
  if (!(await countAttempt(ctx, ticket, maxChoices))) return undefined
  const { userId, workspaceId, tokenId, sessionGeneration, integratorId, returnTo, expiresAtMs } = from
  const restSeconds = (expiresAtMs - ctx.clock.now()) / 1000
  const link = await createLink(ctx, {
    userId,
    workspaceId,
    tokenId,
    sessionGeneration,
    integratorId,
    returnTo,
    ...forPlatform(platform),
    expiresInSeconds: Math.min(restSeconds, linkSeconds.usual),
  })
  return new URL(link.authorizeUrl).searchParams.get('ticket') ?? ''
}

/** The ticket of a link for the platform that a person has chosen. Undefined if platforms were chosen too often. */
export const choosePlatform = async (
  ctx: Context,
  ticket: string,
  menu: StoredLink,
  chosen: string | undefined,
): Promise<string | undefined> => {
  const platform = (await offeredPlatforms(ctx, menu)).find((id) => id === chosen)
  if (platform !== undefined) return linkFrom(ctx, ticket, menu, platform)
  throw new Refusal('invalid', 'Choose one of the platforms.', { code: 'invalid_input', field: 'platform' })
}
