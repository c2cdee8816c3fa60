import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import { lastPart } from '../../template/arn.ts'
import { type GuardedService, mapped, operationOf, refuseAsJson } from '../guard.ts'

const Input = z.object({ Entries: z.array(z.object({ EventBusName: z._default(z.string(), 'default') })) })

/** What EventBridge asks IAM for. */
export const eventsAccess: GuardedService = {
  accessesOf(request) {
    const action = mapped({ PutEvents: 'PutEvents' }, 'EventBridge', operationOf(request))
    const buses = new Set(z.parse(Input, request.body).Entries.map(({ EventBusName }) => lastPart(EventBusName)))
    return [...buses].map((bus) => ({
      action: `events:${action}`,
      resource: `arn:aws:events:${region}:${accountId}:event-bus/${bus}`,
    }))
  },
  refuse: refuseAsJson(400),
}
