import * as z from 'zod/mini'
import { actorOf } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Sent } from '../pages/form.ts'
import type { Page } from '../pages/layout.ts'
import { refusedPage } from '../pages/refused.ts'
import type { Visitor } from '../pages/visitor.ts'
import { listWorkspaces } from '../workspaces/list.ts'
import { AuthorizationQuery, answerAddress, ReturnedRequest, readRequest } from './authorization-request.ts'
import { type ConsentForm, chosenSafety, chosenScopes } from './consent-form.ts'
import { backPage, type ConsentRequest, consentPage, returnedPage } from './consent-page.ts'
import { grantConnection } from './grant.ts'

/** What a consent page needs from its visit. */
interface ConsentVisit {
  ctx: Context
  visitor: Visitor
  sent: Sent
  userAgent: string
}

/** The request of the parameters, and the workspaces that the person can choose. */
const readConsentRequest = async (
  ctx: Context,
  { session }: Visitor,
  parameters: AuthorizationQuery,
): Promise<ConsentRequest> => {
  const [request, workspaces] = await Promise.all([readRequest(ctx, parameters), listWorkspaces(ctx, session.userId)])
  return { request, parameters, workspaces: workspaces.filter((workspace) => workspace.assistantsEnabled) }
}

const orReturned = async (answer: () => Promise<Page>): Promise<Page> => {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof ReturnedRequest) return returnedPage(error)
    throw error
  }
}

/** Asks for consent. */
export const askForConsent = (ctx: Context, visitor: Visitor, query: AuthorizationQuery): Promise<Page> =>
  orReturned(async () => consentPage(visitor, await readConsentRequest(ctx, visitor, query)))

/** Handles the person's answer, and returns to the assistant with a code or an error. */
export const answerConsent = ({ ctx, visitor, sent, userAgent }: ConsentVisit, form: ConsentForm): Promise<Page> =>
  orReturned(async () => {
    const { request, workspaces } = await readConsentRequest(ctx, visitor, form)
    if (form.answer === 'deny') return backPage(answerAddress(ctx, request, { error: 'access_denied' }), false)
    const workspace = workspaces.find(({ id }) => id === form.workspace)
    if (workspace === undefined) {
      throw new Refusal('invalid', 'Choose one of your workspaces.', { code: 'invalid_input', field: 'workspace' })
    }
    const { userId } = visitor.session
    const choice = {
      userId,
      workspace,
      scopes: chosenScopes(sent, request.scopes),
      safety: chosenSafety(form, workspace.timezone),
    }
    const code = await grantConnection(ctx, request, choice, actorOf({ ctx, request: { userAgent } }))
    return backPage(answerAddress(ctx, request, { code }), true)
  })

/** Shows the page again if the person can fix the error; a tampered request is only refused. */
export const consentAgain = async (
  { ctx, visitor, sent }: { ctx: Context; visitor: Visitor | undefined; sent: Sent },
  refusal: Refusal,
): Promise<Page> => {
  const parameters = z.safeParse(AuthorizationQuery, sent)
  const isAboutChoice = refusal.details.code === 'invalid_input' && parameters.success
  if (visitor === undefined || !isAboutChoice) return refusedPage(refusal.message)
  return orReturned(async () =>
    consentPage(visitor, await readConsentRequest(ctx, visitor, parameters.data), { sent, refusal }),
  )
}
