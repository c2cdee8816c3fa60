import { signIn } from '../../../shared/identity/sign-in.ts'
import { signInCookie } from '../../../shared/pages/cookie.ts'
import { page } from '../../../shared/pages/door.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { SignInForm, signInAgain } from '../../../shared/pages/sign-in-page.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/login',
    summary: 'Sign in on the page',
    visitor: 'ignored',
    form: SignInForm,
    needs: ['table:read', 'table:write', 'token-keys'],
  },
  async ({ ctx, form, userAgent, ip }) => {
    const { token } = await signIn(ctx, form, { userAgent, ip })
    return new Redirect(form.return ?? '/login', signInCookie(ctx, token))
  },
  signInAgain,
)
