import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { receiveStripeEvent } from '../../../shared/billing/receive-event.ts'
import { assertProvider } from '../../../shared/billing/refuse.ts'
import { described } from '../../../shared/http/described.ts'

const Received = z.object({
  received: described(z.literal(true), 'The event is handled, was handled before, or does not concern this service.'),
})

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/billing/stripe-webhook',
    summary: 'Receive an event of Stripe',
    description:
      'Only for Stripe, which signs the bytes of the body in the header `Stripe-Signature`. Events may arrive twice and in any order.',
    access: anyone,
    status: 200,
    data: Received,
    errors: ['invalid_signature', 'invalid_json', 'concurrent_update', 'billing_not_configured', 'billing_unavailable'],
    needs: ['table:read', 'table:write', 'billing', 'stripe'],
    limit: 'provider',
  },
  async ({ ctx, request }) => {
    assertProvider(ctx)
    await receiveStripeEvent(ctx, request.rawBody, request.stripeSignature)
    return { received: true as const }
  },
)
