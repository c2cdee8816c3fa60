import { actorByLink, customerByLink } from '../../../shared/audit/actor.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { countScheduledPosts } from '../../../shared/posts/counts.ts'
import { ChoiceForm } from '../../../shared/social-accounts/choice.ts'
import { connectPageAgain } from '../../../shared/social-accounts/show-connect-page.ts'
import { submitConnectPage } from '../../../shared/social-accounts/submit-connect-page.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/connect-accounts',
    summary:
      'Choose a platform, continue to a platform or a server to connect an account, sign in by the form of a platform, connect the accounts chosen after a login, or end a connection of a customer',
    visitor: 'ignored',
    // Decided: this form checks no password, so a person can connect more accounts in 15 minutes than they can try
    // passwords.
    limit: 'general',
    form: ChoiceForm,
    needs: [
      ...(['table:read', 'table:write', 'queue:events', 'kms:decrypt'] as const),
      ...(['kms:encrypt:server', 'kms:decrypt:server', 'platform-secrets', 'origins'] as const),
    ],
  },
  (visit) => {
    const { ctx, form, browser } = visit
    const caller = { ctx, request: visit }
    return submitConnectPage(ctx, form.ticket, form, {
      browser,
      by: actorByLink(caller),
      customer: customerByLink(caller),
      countScheduledPosts: (workspaceId, id) => countScheduledPosts(ctx, workspaceId, id),
    })
  },
  ({ ctx, sent }, refusal) => connectPageAgain(ctx, sent, refusal),
)
