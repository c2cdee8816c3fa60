import { randomBytes } from 'node:crypto'
import { type Html, html } from '../../../../shared/pages/html.ts'
import { page } from '../../pages/page.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, type Route, type SimulatorContext, stop } from '../standin.ts'
import { discordSeed, showGuild } from './seed.ts'

interface Grant {
  code: string
  redirectUri: string
  scope: string
  createdAt: number
}

const codeLifeMs = 10 * 60 * 1000

/** Adding the bot to a server: the page with the two buttons, and the exchange of its code. */
export function openInstall({ clock, keep }: SimulatorContext, join: () => void): Route[] {
  const grants = keep<Grant>('grants')

  function decide(call: Call): Answer {
    const { redirectUri, scope, state, permissions } = readAuthorization(call)
    const target = new URL(redirectUri)
    if (state !== null) target.searchParams.set('state', state)
    if (new URLSearchParams(call.body.toString()).get('answer') !== 'allow') {
      target.searchParams.set('error', 'access_denied')
      target.searchParams.set('error_description', 'The resource owner or authorization server denied the request')
      return { status: 302, headers: { location: target.href } }
    }
    const code = randomBytes(15).toString('base64url')
    grants.set(code, { code, redirectUri, scope, createdAt: clock.now() })
    target.searchParams.set('code', code)
    target.searchParams.set('guild_id', discordSeed.guild.id)
    target.searchParams.set('permissions', permissions)
    return { status: 302, headers: { location: target.href } }
  }

  function exchange(call: Call): Answer {
    const { clientId, clientSecret } = discordSeed
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (call.headers['authorization'] !== basic) return { status: 401, body: { error: 'invalid_client' } }
    if (!/^application\/x-www-form-urlencoded\b/i.test(call.headers['content-type'] ?? '')) {
      return { status: 400, body: { error: 'invalid_request', error_description: 'The body must be a form' } }
    }
    const form = new URLSearchParams(call.body.toString())
    if (form.get('grant_type') !== 'authorization_code')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    const grant = grants.get(form.get('code') ?? '')
    if (grant !== undefined) grants.delete(grant.code)
    const live = grant !== undefined && grant.createdAt + codeLifeMs > clock.now()
    if (!live || grant.redirectUri !== form.get('redirect_uri')) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' } }
    }
    join()
    const tokens = {
      access_token: randomBytes(20).toString('base64url'),
      refresh_token: randomBytes(20).toString('base64url'),
    }
    return {
      status: 200,
      body: { ...tokens, token_type: 'Bearer', expires_in: 604_800, scope: grant.scope, guild: showGuild() },
    }
  }

  return [
    { method: 'GET', path: '/oauth2/authorize', operation: 'authorize', answer: (call) => ask(call) },
    { method: 'POST', path: '/oauth2/authorize', operation: 'authorize', answer: decide },
    { method: 'POST', path: '/api/oauth2/token', operation: 'login', answer: exchange },
    { method: 'POST', path: '/api/v10/oauth2/token', operation: 'login', answer: exchange },
  ]
}

function ask(call: Call): Answer {
  readAuthorization(call)
  const main = html`<article>
<div class="top"><b>Discord stand-in</b></div>
<p class="text">${discordSeed.bot.username} wants to join <b>${discordSeed.guild.name}</b> and to write in its channels.</p>
<form method="post" action="?${call.query.toString()}" class="actions">${button('deny', 'Cancel')}${button('allow', 'Authorize')}</form>
</article>`
  return page({ title: 'Authorize', main, narrow: true })
}

function button(value: string, label: string): Html {
  return html`<button name="answer" value="${value}" class="${value === 'allow' ? 'main' : ''}">${label}</button>`
}

function readAuthorization({ query }: Call) {
  const redirectUri = query.get('redirect_uri') ?? ''
  const scope = query.get('scope') ?? ''
  const guildId = query.get('guild_id') ?? discordSeed.guild.id
  if (query.get('client_id') !== discordSeed.clientId)
    return stop('Unknown application: client_id is not the seeded one')
  if (query.get('response_type') !== 'code') return stop('response_type must be code')
  if (!/^https?:\/\//i.test(redirectUri) || !URL.canParse(redirectUri))
    return stop('redirect_uri must be an http(s) address')
  if (!scope.split(' ').includes('bot')) return stop('scope must contain bot')
  if (guildId !== discordSeed.guild.id) return stop('Unknown server: guild_id is not the seeded one')
  return { redirectUri, scope, state: query.get('state'), permissions: query.get('permissions') ?? '0' }
}
