import type { ActorByLink } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import type { Sent } from '../pages/form.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { type FormPlatform, isBrowserPlatform } from '../platforms/definitions.ts'
import { formLogins } from '../platforms/registry/form-logins.ts'
import { changeConnection, type EndingByCustomer } from './change-connection.ts'
import { type Choice, chosenIndexes, consumeChoice, decryptOffered, recordConnectOutcome } from './choice.ts'
import { expiredLinkPage, failedPage } from './connect-pages.ts'
import { type ConnectLink, consumeLink, countAttempt } from './oauth-state.ts'
import { choosePlatform } from './platform-menu.ts'
import { signedIn } from './platform-refusal.ts'
import { readTicket } from './read-ticket.ts'
import { redirectToPlatform } from './redirect-to-platform.ts'
import { noAccessPage, storeConnections, workspaceOf } from './store-connections.ts'

const toPage = (ticket: string, missing?: 'choice') => new Redirect(withQuery('/connect-accounts', { ticket, missing }))

const connectChosen = async (
  ctx: Context,
  ticket: string,
  choice: Choice | undefined,
  { form, by }: { form: Sent; by: ActorByLink },
): Promise<Redirect> => {
  const indexes = chosenIndexes(form)
  const workspace = choice && (await workspaceOf(ctx, choice))
  const offered = workspace && (await decryptOffered(ctx, workspace, choice))
  if (!offered) return toPage(ticket)
  const chosen = offered.filter((_, index) => indexes.has(index))
  if (chosen.length === 0) return toPage(ticket, 'choice')
  if (await consumeChoice(ctx, ticket)) {
    const { sentences, back } = await storeConnections(ctx, workspace, choice, { connections: chosen, by: by(choice) })
    await recordConnectOutcome(ctx, 'AccountChoice', ticket, { outcome: sentences, returnUrl: back })
  }
  return toPage(ticket)
}

/** Signs in with what the owner of the account entered. */
const connectByForm = async (
  ctx: Context,
  ticket: string,
  link: ConnectLink & { platform: FormPlatform },
  { form, by }: { form: Sent; by: ActorByLink },
): Promise<Page | Redirect> => {
  const signIn = formLogins[link.platform](form)
  const workspace = await workspaceOf(ctx, link)
  if (workspace === undefined) return noAccessPage(ctx, link)
  if (!(await countAttempt(ctx, ticket))) {
    return failedPage(ctx, link, 'invalid_app_password', 'The login failed too often. Ask for another link.')
  }
  const connection = await signedIn(ctx, signIn)
  if (await consumeLink(ctx, ticket)) {
    const { sentences, back } = await storeConnections(ctx, workspace, link, {
      connections: [connection],
      by: by(link),
    })
    await recordConnectOutcome(ctx, 'ConnectLink', ticket, { outcome: sentences, returnUrl: back })
  }
  return toPage(ticket)
}

/**
 * Handles the button of a ticket's page: ends a connection of a customer, or reconnects it; continues with a link for the
 * chosen platform; redirects to the platform, with a cookie that identifies this browser when it returns; signs in with the
 * fields of the form; or stores the accounts that were selected by their positions in the list.
 */
export const submitConnectPage = async (
  ctx: Context,
  ticket: string,
  form: Sent,
  { browser, by, ...more }: { browser: string | undefined; by: ActorByLink } & EndingByCustomer,
): Promise<Page | Redirect> => {
  const { link, menu, connections, expired, choice } = await readTicket(ctx, ticket)
  if (expired !== undefined) return expiredLinkPage(ctx, expired)
  if (connections !== undefined) {
    const shown = await changeConnection(ctx, ticket, connections, { form, ...more })
    return typeof shown === 'string' ? toPage(shown) : shown
  }
  if (menu !== undefined) {
    const chosen = await choosePlatform(ctx, ticket, menu, form['platform'])
    return chosen === undefined
      ? failedPage(ctx, menu, 'connect_link_expired', 'A platform was chosen too often. Ask for another link.')
      : toPage(chosen)
  }
  if (link === undefined) return connectChosen(ctx, ticket, choice, { form, by })
  const { platform } = link
  return isBrowserPlatform(platform)
    ? redirectToPlatform(ctx, ticket, { ...link, platform }, { form, browser })
    : connectByForm(ctx, ticket, { ...link, platform }, { form, by })
}
