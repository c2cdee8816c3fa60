import { claimUserCode } from '../../../shared/identity/answer-device-login.ts'
import { showUserCode } from '../../../shared/identity/user-code.ts'
import { DeviceForm, enterCodeAgain } from '../../../shared/pages/device-page.ts'
import { withQuery } from '../../../shared/pages/own-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/device',
    summary: 'Enter a device code (form)',
    visitor: 'required',
    form: DeviceForm,
    needs: ['table:read', 'table:write', 'token-keys'],
  },
  async ({ ctx, form, visitor }) => {
    const code = await claimUserCode(ctx, visitor.session, form.user_code)
    return new Redirect(withQuery('/device', { user_code: showUserCode(code) }))
  },
  enterCodeAgain,
)
