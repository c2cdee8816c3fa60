import * as z from 'zod/mini'
import { isBrowserPlatform } from '../../../shared/platforms/definitions.ts'
import type { PlatformId } from '../../../shared/resources.ts'
import { everyPlatform } from '../platforms/every.ts'
import { Stop } from '../stop.ts'
import { type Caller, call } from './caller.ts'
import { submitConnectPage } from './submit-connect-page.ts'

const Begun = z.object({ authorizeUrl: z.string() })

const backFrom = async (address: string, person: string | undefined): Promise<string> => {
  const body = new URLSearchParams({ answer: 'allow', ...(person === undefined ? {} : { person }) })
  const decided = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  const back = decided.headers.get('location')
  if (back === null) throw new Stop(`${address} answered ${decided.status}: ${await decided.text()}`)
  return back
}

/** Ticks every box of the page that asks which accounts to connect. */
const chooseAll = async (page: string): Promise<string> => {
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
  const [, ticket = ''] = /name="ticket" value="([^"]+)"/.exec(page) ?? []
  const body = new URLSearchParams({ ticket })
  for (const [, name = ''] of page.matchAll(/name="(account_\d+)"/g)) body.set(name, 'yes')
  const answer = await fetch(action, { method: 'POST', body, headers: { origin: new URL(action).origin } })
  return answer.text()
}

/**
 * Follows the steps of a person who connects an account: a form, or our page, the platform's page, its button, back to our
 * page, and the choice.
 */
export const walkConnect = async (session: Caller, platform: PlatformId, person?: string): Promise<string> => {
  const login = everyPlatform.find(({ id }) => id === platform)?.login
  if (!isBrowserPlatform(platform)) {
    await call(session, `POST /api/social-accounts/connect/${platform}`, z.unknown(), login)
    return ''
  }
  const { authorizeUrl } = await call(session, `POST /api/social-accounts/connect/${platform}`, Begun, login)
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  const answer = await fetch(await backFrom(address, person), { headers: { cookie } })
  const page = await answer.text()
  return page.includes('name="ticket"') ? chooseAll(page) : page
}
