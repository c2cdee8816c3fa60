import { signUp } from '../../../shared/identity/sign-up.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { SignUpForm, signUpAgain } from '../../../shared/pages/sign-up-page.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/sign-up',
    summary: 'Sign up (form)',
    visitor: 'ignored',
    form: SignUpForm,
    needs: ['table:write', 'mail'],
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, form }) => {
    await signUp(ctx, form, form.return)
    return new Redirect('/sign-up?sent=1')
  },
  signUpAgain,
)
