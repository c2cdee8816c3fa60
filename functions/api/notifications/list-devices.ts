import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { cutPage, pageOf, pageQuery } from '../../../shared/http/page.ts'
import { DeviceView, viewDevice } from '../../../shared/notifications/devices/device.ts'
import { readProfile } from '../../../shared/notifications/profile.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/notifications/devices',
    summary: 'List your devices',
    description: 'In the order of their registration. Tokens, endpoints, and keys are not shown.',
    access: session,
    query: z.strictObject(pageQuery),
    status: 200,
    data: pageOf(DeviceView),
    errors: [],
    needs: ['table:read'],
  },
  async ({ ctx, principal, query }) => {
    const { devices } = await readProfile(ctx, principal.userId)
    return cutPage(devices.map(viewDevice), query)
  },
)
