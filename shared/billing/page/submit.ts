import type { Actor } from '../../audit/actor.ts'
import type { Context } from '../../context.ts'
import { html } from '../../pages/html.ts'
import type { Page } from '../../pages/layout.ts'
import { withQuery } from '../../pages/own-page.ts'
import { Redirect } from '../../pages/send.ts'
import type { Visitor } from '../../pages/visitor.ts'
import { cancelSubscription, resumeSubscription } from '../cancel.ts'
import { changePlan } from '../change-plan.ts'
import { startCheckout } from '../checkout.ts'
import { openPortal } from '../portal.ts'
import { planNotForSale } from '../refuse.ts'
import { type BillingForm, type BillingQuery, findOwnSubject } from './find.ts'

/** A form may lead only to our own pages (form-action in page/send.ts), so this page redirects to Stripe. */
const toStripe = (leadsTo: string): Page => ({
  title: 'Continue at Stripe',
  leadsTo,
  body: html`<p><a href="${leadsTo}" rel="noreferrer">Continue at Stripe</a></p>`,
})

/** Performs the action that a person requested on the page. */
export const submitBilling = async (
  ctx: Context,
  { workspace: slug, action, planId }: BillingForm,
  { session: { userId, email } }: Visitor,
  actor: Actor,
): Promise<Page | Redirect> => {
  const subject = await findOwnSubject(ctx, slug, userId)
  const { workspace, account } = subject
  const back = (done: BillingQuery['done']) => new Redirect(withQuery('/billing', { workspace: slug, done }))
  switch (action) {
    case 'checkout':
      if (planId === undefined) throw planNotForSale()
      return toStripe((await startCheckout(ctx, { workspace, account, planId, email, actor })).url)
    case 'portal':
      return toStripe((await openPortal(ctx, workspace, account)).url)
    case 'change':
      if (planId === undefined) throw planNotForSale()
      await changePlan(ctx, subject, planId, actor)
      return back('changed')
    case 'cancel':
      await cancelSubscription(ctx, subject, actor)
      return back('cancelled')
    case 'resume':
      await resumeSubscription(ctx, subject, actor)
      return back('resumed')
  }
}
