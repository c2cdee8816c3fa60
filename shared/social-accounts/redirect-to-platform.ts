import type { Context } from '../context.ts'
import { connectCookie } from '../identity/cookie.ts'
import { random62 } from '../ids.ts'
import type { Sent } from '../pages/form.ts'
import type { Page } from '../pages/layout.ts'
import { type BrowserPlatform, definitionOf } from '../platforms/definitions.ts'
import { assertServer, serverAddress } from '../platforms/server.ts'
import { assertConnectable, authorizationUrlFor } from './authorization-link.ts'
import { onwardPage } from './connect-pages.ts'
import { type ConnectLink, claimLink } from './oauth-state.ts'
import { expiredPage, noAccessPage, workspaceOf } from './store-connections.ts'

type BrowserLink = ConnectLink & { platform: BrowserPlatform }

/** The link with the server that the owner of the account entered, if the page asked for it. */
const withServer = async (ctx: Context, link: BrowserLink, { server = '' }: Sent): Promise<BrowserLink> => {
  if (link.server !== undefined || definitionOf(link.platform).server === undefined) return link
  const named = { ...link, server: assertServer(ctx, serverAddress(server), 'server') }
  // Another server can be tried as long as the link belongs to no browser.
  await assertConnectable(ctx, named)
  return named
}

/** Leads to the login of the platform, with a cookie that identifies this browser when it returns. */
export const redirectToPlatform = async (
  ctx: Context,
  ticket: string,
  unnamed: BrowserLink,
  { form, browser = random62(43) }: { form: Sent; browser: string | undefined },
): Promise<Page> => {
  const workspace = await workspaceOf(ctx, unnamed)
  if (workspace === undefined) return noAccessPage(ctx, unnamed)
  const link = await withServer(ctx, unnamed, form)
  if (!(await claimLink(ctx, ticket, browser))) return expiredPage(ctx)
  return onwardPage(link.providerName, await authorizationUrlFor(ctx, link, browser), connectCookie(ctx, browser))
}
