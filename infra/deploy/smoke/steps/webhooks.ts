import { assert } from '../outcome.ts'
import type { Step } from '../world.ts'

/** Webhook endpoints, which only a session of an owner or admin can manage. */
export const webhookSteps: readonly Step[] = [
  {
    name: 'webhook endpoint',
    async run({ api, made, mark }) {
      const events = (await api.webhooks.listEvents()).map(({ type }) => type)
      const name = `smoke ${mark}`
      // Disabled, and at a domain that IANA reserves: nothing is sent.
      const body = { name, url: 'https://example.com/smoke', events, enabled: false }
      const { id } = await made.create({
        what: `the webhook endpoint "${name}"`,
        create: (idempotencyKey) => api.webhooks.create({ idempotencyKey, body }),
        remove: (endpoint) => api.webhooks.delete({ params: { id: endpoint.id } }),
      })
      const endpoint = await api.webhooks.get({ params: { id } })
      assert(!endpoint.enabled && endpoint.name === name, 'the endpoint is not as it was created')
      return undefined
    },
  },
]
