import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { defineEvent, firstOfSubject, order, secondOfSubject } from './define-event.ts'

const planName = described(z.nullable(z.string()), 'The name of the plan; null without one.')
const billingUrl = described(z.string(), 'The page to manage the plan.')

export const workspaceEvents = {
  'workspace.trial_ending': defineEvent({
    description: 'The trial of a workspace ends in three days or less; sent once for each trial.',
    data: z.object({
      planName,
      trialEndsAt: timestamp('When the trial ends, in UTC.'),
      cancelAtPeriodEnd: described(z.boolean(), 'True: access ends with the trial. False: the first payment follows.'),
      billingUrl,
      ...order,
    }),
    example: {
      planName: 'Team',
      trialEndsAt: '2026-12-04T09:00:00.000Z',
      cancelAtPeriodEnd: false,
      billingUrl: 'https://api.example.com/billing?workspace=acme',
      ...firstOfSubject,
    },
  }),
  'workspace.payment_failed': defineEvent({
    description:
      'A payment for the plan of a workspace failed; sent once for each invoice. `accessEndsAt` says when access ends.',
    data: z.object({
      planName,
      amountDueCents: described(z.int(), 'In the smallest unit of the currency.'),
      currency: described(z.string(), 'The ISO 4217 code in lowercase.'),
      nextAttemptAt: z.nullable(timestamp('When the payment is tried again; null if it is not.')),
      accessEndsAt: z.nullable(timestamp('When access ends unless a payment succeeds.')),
      billingUrl,
      ...order,
    }),
    example: {
      planName: 'Team',
      amountDueCents: 4900,
      currency: 'usd',
      nextAttemptAt: '2026-12-04T09:00:00.000Z',
      accessEndsAt: '2026-12-08T09:00:00.000Z',
      billingUrl: 'https://api.example.com/billing?workspace=acme',
      ...secondOfSubject,
    },
  }),
}
