import { systemActor } from '../../shared/audit/actor.ts'
import { endCustomer } from '../../shared/billing/end-customer.ts'
import { BillingMessage } from '../../shared/billing/rows.ts'
import { syncSubscription } from '../../shared/billing/sync.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Reads subscriptions at Stripe when an event may be lost, and ends those of deleted workspaces',
    queues: ['billing'],
    batchSize: 1,
    timeoutSeconds: 60,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'billing', 'stripe'],
  },
  BillingMessage,
  async ({ ctx, message: { workspaceId, customerId } }) => {
    if (customerId === undefined) await syncSubscription(ctx, workspaceId, systemActor('sync-billing'))
    else await endCustomer(ctx, customerId, workspaceId)
  },
)
