import * as z from 'zod/mini'
import { type Caller, call } from './caller.ts'

const Hook = z.object({ id: z.string(), name: z.string(), url: z.string(), enabled: z.boolean() })
const Catalog = z.array(z.object({ type: z.string() }))

const name = 'Local inbox'

/** Has every event of the workspace delivered to this address; the endpoint of an earlier run moves with the inbox. */
export const addHook = async (session: Caller, url: string): Promise<void> => {
  const known = (await call(session, 'GET /api/webhooks', z.array(Hook))).find((hook) => hook.name === name)
  if (known?.enabled && known.url === url) return
  if (known) {
    await call(session, `PATCH /api/webhooks/${known.id}`, Hook, { url, enabled: true })
    return
  }
  const events = (await call(session, 'GET /api/webhooks/events', Catalog)).map(({ type }) => type)
  await call(session, 'POST /api/webhooks', Hook, { name, url, events })
}
