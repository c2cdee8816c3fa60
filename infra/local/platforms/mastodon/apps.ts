import { randomBytes } from 'node:crypto'
import type { Answer } from '../../pages/server.ts'
import type { OAuthApp } from '../oauth.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import { mastodonSeed } from './seed.ts'

interface StoredApp extends OAuthApp {
  readonly name: string
  readonly scopes: readonly string[]
}

/** Apps that registered themselves (Mastodon API, apps, Create an application). */
export function openApps({ keep }: SimulatorContext): {
  routes: Route[]
  find(clientId: string): StoredApp | undefined
} {
  const apps = keep<StoredApp>('apps')

  function register(call: Call): Answer {
    const form = new URLSearchParams(call.body.toString())
    const name = form.get('client_name') ?? ''
    const redirectUris = (form.get('redirect_uris') ?? '').split('\n')
    const scopes = (form.get('scopes') ?? 'read').split(' ')
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
    const website = form.get('website')
    const shown = {
      ...{ id: String(apps.size), name, website, scopes, redirect_uris: redirectUris },
      ...{ redirect_uri: redirectUris.join('\n'), vapid_key: randomBytes(65).toString('base64url') },
    }
    return { status: 200, body: { ...shown, client_id: clientId, client_secret: clientSecret } }
  }
  return {
    routes: [{ method: 'POST', path: '/api/v1/apps', operation: 'app', answer: register }],
    find: (clientId) => apps.get(clientId),
  }
}
