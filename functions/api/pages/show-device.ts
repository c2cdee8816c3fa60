import { claimedLogin } from '../../../shared/identity/answer-device-login.ts'
import { DeviceQuery, devicePage, enterCodePage } from '../../../shared/pages/device-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/device',
    summary: 'Show the device page',
    visitor: 'required',
    query: DeviceQuery,
    needs: ['table:read', 'token-keys'],
  },
  async ({ ctx, query: { user_code: typed = '' }, visitor }) => {
    const login = await claimedLogin(ctx, visitor.session, typed)
    return login === undefined ? enterCodePage(visitor, typed) : devicePage(visitor, login, typed, ctx.clock.now())
  },
)
