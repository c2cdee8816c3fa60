import type { Event } from '../../events/event.ts'
import type { NotificationKind } from '../kinds.ts'
import type { NewAlert } from './raise.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

type About = Pick<NewAlert, 'targetId' | 'facts'>

const ofAccount = ({ data }: Event): About => ({
  targetId: text(data['socialAccountId']),
  facts: { platform: text(data['platform']), username: text(data['username']), error: text(data['error']) },
})

const ofTrial = ({ workspace, data }: Event): About => ({
  targetId: workspace.id,
  facts: { endsAt: text(data['trialEndsAt']), isLast: data['cancelAtPeriodEnd'] === true ? 'true' : '' },
})

const ofPayment = ({ workspace, data }: Event): About => ({
  targetId: workspace.id,
  facts: { endsAt: text(data['accessEndsAt']) },
})

/** The events that people are notified about, each with what it is about. */
const notifying: Partial<Readonly<Record<string, (event: Event) => About>>> = {
  'post.publish_failed': ofAccount,
  'social_account.reconnect_required': ofAccount,
  'workspace.trial_ending': ofTrial,
  'workspace.payment_failed': ofPayment,
} satisfies Partial<Record<NotificationKind, unknown>>

/** The alerts of events; a test of an endpoint is none. */
export const alertsOf = (events: readonly Event[]): NewAlert[] =>
  events.flatMap((event) => {
    const about = notifying[event.type]
    if (about === undefined || event.data['test'] === true) return []
    const { id, type, workspace } = event
    return [{ id, workspaceId: workspace.id, kind: type as NotificationKind, ...about(event) }]
  })
