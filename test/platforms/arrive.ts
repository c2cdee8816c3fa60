import type { Context } from '../../shared/context.ts'
import type { Connection } from '../../shared/platforms/account.ts'
import type { Connector } from '../../shared/platforms/connector.ts'

export const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
/** The verifier of that challenge (RFC 7636, appendix B). */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

export const redirectUri = 'https://service.test/back'

/** Approves on a platform's page; returns the URL that opened it, and the code. */
export async function letIn(ctx: Context, connector: Connector, person?: string, over: Record<string, string> = {}) {
  const address = new URL(await connector.authorizationUrl(ctx, { state: 'the-state', codeChallenge, redirectUri }))
  for (const [name, value] of Object.entries(over)) address.searchParams.set(name, value)
  const body = new URLSearchParams({ answer: 'allow', ...(person === undefined ? {} : { person }) })
  const sentBack = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  const back = sentBack.headers.get('location')
  if (back === null) throw new Error(`${sentBack.status}: ${await sentBack.text()}`)
  return { address, code: new URL(back).searchParams.get('code') ?? '' }
}

/** The first account that a person's login opens. */
export async function authorize(ctx: Context, connector: Connector, person?: string): Promise<Connection> {
  const { code } = await letIn(ctx, connector, person)
  const [connection] = await connector.connect(ctx, { code, redirectUri, codeVerifier })
  if (connection === undefined) throw new Error('the login opened no account')
  return connection
}
