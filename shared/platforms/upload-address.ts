import type { Context } from '../context.ts'
import { originOf } from './base-urls.ts'
import type { PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'

/**
 * An address for bytes as a platform handed it out, to be used as it is. One outside of the platform's own hosts gets
 * nothing: files and tokens would leave to a stranger.
 */
export const assertUploadAddress = (
  ctx: Context,
  { id, name }: Pick<PlatformDefinition, 'id' | 'name'>,
  address: string,
  hostSuffixes: readonly string[],
): string => {
  const url = URL.parse(address)
  const standIn = originOf(ctx, id)
  const isOwn =
    standIn === undefined
      ? url?.protocol === 'https:' && hostSuffixes.some((suffix) => url.hostname.endsWith(suffix))
      : url?.origin === standIn
  if (isOwn) return address
  const detail = `an upload address at ${url?.host ?? 'no host'}`
  throw new PlatformError('transient', `${name} returned an upload URL on a foreign host.`, {
    detail,
    operator: true,
  })
}
