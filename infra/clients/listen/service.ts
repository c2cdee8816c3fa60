import { ApiError, client } from '../../../functions/client.ts'
import { causeOf } from './forward.ts'
import type { Endpoints } from './from-endpoint.ts'
import type { LogListener } from './from-log.ts'
import type { ListenOptions } from './options.ts'

/** If the service does not state when to retry. */
const limitedSeconds = 10

/** Reads the event log of the service. */
export const readerOf = (options: ListenOptions): LogListener['read'] => {
  const { webhooks } = client(options)
  return async (query) => {
    try {
      return await webhooks.listEventLog({ query })
    } catch (error) {
      if (error instanceof ApiError && error.status !== 429 && error.status < 500) throw error
      const after = error instanceof ApiError ? error.headers.get('Retry-After') : null
      return { why: causeOf(error), againInSeconds: Number(after || limitedSeconds) }
    }
  }
}

/** The webhook endpoints of the workspace. */
export const endpointsOf = (options: ListenOptions): Endpoints => {
  const { webhooks } = client(options)
  return {
    create: (body) => webhooks.create({ body }),
    update: (id, body) =>
      webhooks.update({ params: { id }, body }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return false
          throw error
        },
      ),
  }
}
