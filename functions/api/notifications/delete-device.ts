import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { idPath } from '../../../shared/http/id.ts'
import { removeDevice } from '../../../shared/notifications/devices/remove.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/notifications/devices/{id}',
    summary: 'Remove a device',
    description: 'Sends no more push messages to the device. It can be registered again.',
    access: session,
    params: idPath('The ID of the device, `dev_…`.'),
    status: 200,
    data: Deleted,
    errors: ['device_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
  },
  async ({ ctx, principal, params }) => {
    await removeDevice(ctx, principal.userId, params.id)
    return { id: params.id, deleted: true as const }
  },
)
