import { randomBytes } from 'node:crypto'
import { minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { askPage } from '../oauth/page.ts'
import { type Call, type Route, type SimulatorContext, stop } from '../standin.ts'
import { refuse } from './refuse.ts'
import { type SlackTeam, slackSeed } from './seed.ts'

interface Grant {
  code: string
  team: string
  redirectUri: string
  scope: string
  createdAt: number
}

interface Session {
  token: string
  team: string
  scope: string
  refresh: string | null
  endsAt: number | null
}

const codeLifeMs = 10 * minuteMs
const rotatingSeconds = 43_200
const { app, teams } = slackSeed

const known = new Set([
  ...['chat:write', 'chat:write.public', 'channels:read', 'groups:read', 'channels:join', 'channels:history'],
  ...['groups:history', 'files:write', 'files:read', 'team:read', 'users:read'],
])

/** Adding the app to a workspace: the page, and the endpoint where codes and refresh tokens become bot tokens. */
export function openInstall({ clock, keep }: SimulatorContext) {
  const grants = keep<Grant>('grants')
  const sessions = keep<Session>('sessions')
  const secret = (prefix: string) => `${prefix}-${randomBytes(24).toString('base64url')}`

  function readAuthorization({ query }: Call) {
    const redirectUri = query.get('redirect_uri') ?? ''
    const scope = query.get('scope') ?? ''
    if (query.get('client_id') !== app.clientId) return stop('invalid_client_id')
    if (!URL.canParse(redirectUri)) return stop('bad_redirect_uri')
    const unknown = scope.split(',').filter((name) => !known.has(name))
    if (unknown.length > 0) return stop(`invalid_scope: ${unknown.join(', ')}`)
    return { redirectUri, scope, state: query.get('state') }
  }

  function ask(call: Call): Answer {
    readAuthorization(call)
    return askPage('Slack', teams, call.query.toString())
  }

  function decide(call: Call): Answer {
    const { redirectUri, scope, state } = readAuthorization(call)
    const form = new URLSearchParams(call.body.toString())
    const target = new URL(redirectUri)
    if (state !== null) target.searchParams.set('state', state)
    if (form.get('answer') !== 'allow') {
      target.searchParams.set('error', 'access_denied')
      return { status: 302, headers: { location: target.href } }
    }
    const team = teams.find(({ id }) => id === form.get('person')) ?? teams[0]
    const code = secret('code')
    grants.set(code, { code, team: team.id, redirectUri, scope, createdAt: clock.now() })
    target.searchParams.set('code', code)
    return { status: 302, headers: { location: target.href } }
  }

  function open(teamId: string, scope: string): Answer {
    const { id, name, rotates, bot } = teams.find((team) => team.id === teamId) ?? teams[0]
    const token = secret(rotates ? 'xoxe.xoxb' : 'xoxb')
    const refresh = rotates ? secret('xoxe-1') : null
    const endsAt = rotates ? clock.now() + rotatingSeconds * 1000 : null
    sessions.set(token, { token, team: id, scope, refresh, endsAt })
    const body = {
      ok: true,
      access_token: token,
      token_type: 'bot',
      scope,
      bot_user_id: bot.userId,
      app_id: 'A0DEMO001',
      team: { id, name },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: 'U0DEMO001' },
      ...(refresh === null ? {} : { refresh_token: refresh, expires_in: rotatingSeconds }),
    }
    return { status: 200, body }
  }

  function exchange(call: Call): Answer {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
    const form = new URLSearchParams(call.body.toString())
    const isInForm = form.get('client_id') === app.clientId && form.get('client_secret') === app.clientSecret
    if (call.headers['authorization'] !== basic && !isInForm) refuse('bad_client_secret')
    if (form.get('grant_type') === 'refresh_token') {
      const spent = sessions.values().find(({ refresh }) => refresh !== null && refresh === form.get('refresh_token'))
      if (spent === undefined) return refuse('invalid_refresh_token')
      sessions.delete(spent.token)
      return open(spent.team, spent.scope)
    }
    const grant = grants.get(form.get('code') ?? '')
    if (grant !== undefined) grants.delete(grant.code)
    if (grant === undefined || grant.createdAt + codeLifeMs <= clock.now()) return refuse('invalid_code')
    if (grant.redirectUri !== form.get('redirect_uri')) refuse('bad_redirect_uri')
    return open(grant.team, grant.scope)
  }

  /** The owner of the token of a request; a method beyond its scopes is rejected. */
  function teamOf({ headers }: Call, ...anyOf: readonly string[]): SlackTeam {
    const session = sessions.get(/^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '')
    if (session === undefined) return refuse(headers['authorization'] === undefined ? 'not_authed' : 'invalid_auth')
    if (session.endsAt !== null && session.endsAt <= clock.now()) refuse('token_expired')
    const scopes = session.scope.split(',')
    if (anyOf.length > 0 && !anyOf.some((scope) => scopes.includes(scope))) refuse('missing_scope')
    return teams.find(({ id }) => id === session.team) ?? teams[0]
  }

  const path = '/oauth/v2/authorize'
  const routes: Route[] = [
    { method: 'GET', path, operation: 'authorize', answer: ask },
    { method: 'POST', path, operation: 'authorize', answer: decide },
    { method: 'POST', path: '/api/oauth.v2.access', operation: 'login', answer: exchange },
  ]
  return { routes, teamOf }
}
export type Install = ReturnType<typeof openInstall>
