import { summaries } from '../../platforms/registry/summaries.ts'
import { cutText } from '../../text/cut.ts'
import { asSingleLine } from '../../text/single-line.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { NotificationKind } from '../kinds.ts'
import type { Alert } from './alert.ts'

/** The text of a notification. */
export interface AlertCopy {
  title: string
  body: string
  /** The page that a click opens. */
  path: string
  /** The text of the email; its subject is the title. */
  email: string
}

interface Subject {
  facts: Alert['facts']
  count: number
  workspace: Pick<Workspace, 'name' | 'slug'>
}

const platformName = (id: string | undefined) =>
  Object.entries(summaries).find(([platform]) => platform === id)?.[1].name ?? 'a platform'

/** A name or an error as a part of a line. */
const inLine = (text: string | undefined, maxLength: number) => cutText(asSingleLine(text ?? '').trim(), maxLength)
const nameOf = ({ workspace }: Subject) => inLine(workspace.name, 60)

const failedPosts = (subject: Subject): AlertCopy => {
  const { facts, count } = subject
  const platform = platformName(facts['platform'])
  const error = inLine(facts['error'], 200)
  const isOne = count === 1
  return {
    title: isOne ? `A post was not published on ${platform}` : `${count} posts were not published on ${platform}`,
    body: `${nameOf(subject)}: ${isOne ? '' : 'the last error: '}${error}`,
    path: '/notifications',
    email: `${isOne ? 'A post' : `${count} posts`} of the workspace "${nameOf(subject)}" could not be published on ${platform}.
${isOne ? 'The error' : 'The last error'}: ${error}

Failed posts can be scheduled again. Before you do so, check on ${platform} whether a post is live if its error says so.
`,
  }
}

const accountIn = (subject: Subject): string => {
  const { platform, username } = subject.facts
  const name = inLine(username, 60)
  return `${name === '' ? 'an account' : name} on ${platformName(platform)}`
}

const lostAccount = (subject: Subject): AlertCopy => {
  const account = accountIn(subject)
  const error = inLine(subject.facts['error'], 200)
  return {
    title: `Connect ${account} again`,
    body: `${nameOf(subject)}: ${error}`,
    path: '/notifications',
    email: `The workspace "${nameOf(subject)}" has lost the connection to ${account}.
The error: ${error}

Until the account is connected again, nothing is published with it, and its posts fail at their time.
`,
  }
}

const endpointOf = (subject: Subject) => ({
  name: inLine(subject.facts['name'], 60),
  email: `The webhook endpoint "${inLine(subject.facts['name'], 100)}" of the workspace "${nameOf(subject)}"
(${inLine(subject.facts['url'], 2000)})`,
})

const failingEndpoint = (subject: Subject): AlertCopy => {
  const { name, email } = endpointOf(subject)
  const hours = Number(subject.facts['hours'])
  const since = hours === 0 ? '' : ` for ${hours} hours`
  return {
    title: hours === 0 ? 'A webhook endpoint is failing' : `A webhook endpoint has been failing${since}`,
    body: `${nameOf(subject)}: "${name}" accepts no deliveries. Its events are waiting.`,
    path: '/notifications',
    email: `${email}
has not accepted a delivery${since}. Its events are waiting: the service sends one of them every half hour, and as
soon as that one is accepted, all others follow. Events that have waited for more than three days are dropped; you can replay
them. After five days without a success, the endpoint is disabled.
See the delivery log for the receiver's responses. "Send test" tries the endpoint at once.
`,
  }
}

const disabledEndpoint = (subject: Subject): AlertCopy => {
  const { name, email } = endpointOf(subject)
  const reason = inLine(subject.facts['reason'], 200)
  return {
    title: 'A webhook endpoint was disabled',
    body: `${nameOf(subject)}: "${name}" gets no events any more. ${reason}`,
    path: '/notifications',
    email: `${email}
was disabled. ${reason}
It no longer receives events. When the receiver is ready, enable the endpoint again. You can replay the events since then, for
as long as events are kept.
`,
  }
}

const billingPath = ({ workspace }: Subject) => `/billing?workspace=${encodeURIComponent(workspace.slug)}`

/** The day of a moment in UTC, as part of a sentence; empty if there is none. */
const onDay = (moment: string | undefined) => (moment ? ` on ${moment.slice(0, 10)}` : '')

const endingAccess = (subject: Subject): AlertCopy => {
  const account = accountIn(subject)
  const day = onDay(subject.facts['endsAt'])
  return {
    title: `The access to ${account} ends${day}`,
    body: `${nameOf(subject)}: connect the account again before.`,
    path: '/notifications',
    email: `The access of the workspace "${nameOf(subject)}" to ${account} ends${day}.
The platform does not let the service renew it. Connect the account again before; otherwise its posts fail at their time.
`,
  }
}

const endingTrial = (subject: Subject): AlertCopy => {
  const { endsAt, isLast } = subject.facts
  const next = isLast ? 'Choose a plan, so that scheduled posts go out.' : 'The first payment follows.'
  return {
    title: `The trial of ${nameOf(subject)} ends${onDay(endsAt)}`,
    body: next,
    path: billingPath(subject),
    email: `The trial of the workspace "${nameOf(subject)}" ends${onDay(endsAt)}. ${next}
`,
  }
}

const failedPayment = (subject: Subject): AlertCopy => {
  const { endsAt } = subject.facts
  const otherwise = endsAt ? `Otherwise access ends${onDay(endsAt)}.` : 'Otherwise scheduled posts do not go out.'
  return {
    title: `A payment for ${nameOf(subject)} failed`,
    body: `Check the payment method. ${otherwise}`,
    path: billingPath(subject),
    email: `A payment for the workspace "${nameOf(subject)}" failed. Check the payment method. ${otherwise}
`,
  }
}

const makers: Readonly<Record<NotificationKind, (subject: Subject) => AlertCopy>> = {
  'post.publish_failed': failedPosts,
  'social_account.reconnect_required': lostAccount,
  'social_account.access_ending': endingAccess,
  'webhook_endpoint.failing': failingEndpoint,
  'webhook_endpoint.disabled': disabledEndpoint,
  'workspace.trial_ending': endingTrial,
  'workspace.payment_failed': failedPayment,
}

/** What a notification about alerts of one topic says: their number, and the details of the last one. */
export const copyOf = (kind: NotificationKind, subject: Subject): AlertCopy => makers[kind](subject)
