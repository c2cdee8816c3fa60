import * as z from 'zod/mini'
import { signOutCookie } from '../../../shared/identity/cookie.ts'
import { endSession } from '../../../shared/identity/open-session.ts'
import { Return, withQuery } from '../../../shared/pages/own-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/sign-out',
    summary: 'Sign out (form)',
    visitor: 'required',
    form: z.object({ return: Return }),
    needs: ['table:read', 'table:write', 'token-keys'],
  },
  async ({ ctx, form, visitor }) => {
    await endSession(ctx, visitor.session)
    return new Redirect(withQuery('/login', { notice: 'signed-out', return: form.return }), signOutCookie(ctx))
  },
)
