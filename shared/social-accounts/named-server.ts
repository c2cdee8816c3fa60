import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { definitionOf } from '../platforms/definitions.ts'
import { assertServer, serverAddress } from '../platforms/server.ts'
import type { PlatformId } from '../resources.ts'
import { CreateConnectLink } from './connect-request.ts'

/** The parameters of a link to a platform whose accounts may be at separate servers. */
export const ConnectAccount = z
  .extend(CreateConnectLink, {
    server: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(300)),
        'The server of a Mastodon account, as a host or an origin: `mastodon.social`. Without it, the page of the link asks for it. Not for other platforms.',
      ),
    ),
  })
  .register(z.globalRegistry, {
    id: 'ConnectAccountRequest',
    description: 'Where the person returns, the owner of the account, and its server.',
  })

/** The origin of the server that a link names; undefined if it names none. Throws a refusal of the field. */
export const serverNamed = (ctx: Context, platform: PlatformId, given: string | undefined): string | undefined => {
  if (given === undefined) return undefined
  const { name, server } = definitionOf(platform)
  if (server !== undefined) return assertServer(ctx, serverAddress(given), 'server')
  const text = `${name} is one server. Leave out "server".`
  throw new Refusal('invalid', text, { code: 'invalid_input', field: 'server' })
}
