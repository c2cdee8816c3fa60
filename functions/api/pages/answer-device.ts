import { answerDeviceLogin } from '../../../shared/identity/answer-device-login.ts'
import { DeviceAnswerForm, enterCodeAgain } from '../../../shared/pages/device-page.ts'
import { withQuery } from '../../../shared/pages/own-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/device-answer',
    summary: 'Approve or deny a device login',
    visitor: 'required',
    form: DeviceAnswerForm,
    needs: ['table:read', 'table:write', 'token-keys'],
  },
  async ({ ctx, form, visitor }) => {
    await answerDeviceLogin(ctx, visitor.session, form.user_code, form.answer)
    return new Redirect(withQuery('/device', { user_code: form.user_code }))
  },
  enterCodeAgain,
)
