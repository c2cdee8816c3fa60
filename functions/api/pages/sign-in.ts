import { parseOrRefuse } from '../../../shared/http/parse-input.ts'
import { signInCookie } from '../../../shared/identity/cookie.ts'
import { provePassword } from '../../../shared/identity/prove-password.ts'
import { beginCodeStep, completeSignIn, signInProven } from '../../../shared/identity/sign-in.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { CodeForm, codePage, SignInForm, signInAgain } from '../../../shared/pages/sign-in-page.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/login',
    summary: 'Sign in (form)',
    visitor: 'ignored',
    needs: ['table:read', 'table:write', 'token-keys', 'kms:decrypt:person', 'queue:drain'],
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, sent, userAgent, ip }) => {
    const origin = { userAgent, ip }
    if (sent['ticket'] !== undefined) {
      const form = parseOrRefuse(CodeForm, sent, 'form')
      const { token } = await completeSignIn(ctx, form.ticket, form.code, origin)
      return new Redirect(form.return ?? '/console', signInCookie(ctx, token))
    }
    const form = parseOrRefuse(SignInForm, sent, 'form')
    const proven = await provePassword(ctx, form, origin)
    if (proven.factor !== undefined) return codePage(await beginCodeStep(ctx, proven, origin), form.return)
    const { token } = await signInProven(ctx, { proven, code: undefined }, origin)
    return new Redirect(form.return ?? '/console', signInCookie(ctx, token))
  },
  signInAgain,
)
