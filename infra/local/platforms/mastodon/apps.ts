import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import type { OAuthApp } from '../oauth.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { readParams } from './read-params.ts'
import { refuse } from './refuse.ts'
import { mastodonSeed } from './seed.ts'

interface StoredApp extends OAuthApp {
  readonly name: string
  readonly scopes: readonly string[]
}

const AppInput = z.object({
  client_name: z.optional(z.string()),
  redirect_uris: z.optional(z.union([z.string(), z.array(z.string())])),
  scopes: z.optional(z.string()),
  website: z.optional(z.nullable(z.string())),
})

/** Apps that registered themselves (Mastodon API, apps, Create an application). */
export function openApps({ keep }: SimulatorContext): {
  routes: Route[]
  find(clientId: string): StoredApp | undefined
} {
  const apps = keep<StoredApp>('apps')

  function register(call: Call): Answer {
    const { client_name: name = '', redirect_uris: uris = '', ...sent } = readParams(AppInput, call)
    const redirectUris = typeof uris === 'string' ? uris.split('\n') : uris
    const scopes = (sent.scopes ?? 'read').split(' ')
    if (name === '' || name.length > 60) refuse(422, "Validation failed: Application name can't be blank")
    if (!redirectUris.every((uri) => URL.canParse(uri))) {
      refuse(422, 'Validation failed: Redirect URI must be an absolute URI.')
    }
    const known: readonly string[] = mastodonSeed.scopes
    if (!scopes.every((scope) => known.includes(scope))) {
      refuse(422, "Validation failed: Scopes doesn't match configured on the server.")
    }
    const [clientId, clientSecret] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
    apps.set(clientId, { clientId, clientSecret, redirectUris, name, scopes })
    const { website = null } = sent
    const shown = {
      id: String(apps.size),
      name,
      website,
      scopes,
      redirect_uris: redirectUris,
      redirect_uri: redirectUris.join('\n'),
      vapid_key: randomBytes(65).toString('base64url'),
    }
    return { status: 200, body: { ...shown, client_id: clientId, client_secret: clientSecret } }
  }
  return {
    routes: [{ method: 'POST', path: '/api/v1/apps', operation: 'app', answer: register }],
    find: (clientId) => apps.get(clientId),
  }
}
