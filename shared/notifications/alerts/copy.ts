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
    title: isOne ? `A post failed on ${platform}` : `${count} posts failed on ${platform}`,
    body: `${nameOf(subject)}: ${isOne ? '' : 'the last error: '}${error}`,
    path: '/notifications',
    email: `${isOne ? 'A post' : `${count} posts`} in the workspace "${nameOf(subject)}" failed on ${platform}.
${isOne ? 'The error' : 'The last error'}: ${error}

You can schedule failed posts again. If the error says that a post may be live, check ${platform} first.
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
    title: `Reconnect ${account}`,
    body: `${nameOf(subject)}: ${error}`,
    path: '/notifications',
    email: `The workspace "${nameOf(subject)}" lost access to ${account}.
The error: ${error}

Scheduled posts to this account will fail until you reconnect it.
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
has not accepted a delivery${since}. Its events are waiting. We try one of them every half hour, and send the others as
soon as it is accepted. After three days we drop events, but you can replay them. After five days without a success, we
disable the endpoint.
The delivery log has the receiver's responses. "Send a test" tries the endpoint now.
`,
  }
}

const disabledEndpoint = (subject: Subject): AlertCopy => {
  const { name, email } = endpointOf(subject)
  const reason = inLine(subject.facts['reason'], 200)
  return {
    title: 'A webhook endpoint was disabled',
    body: `${nameOf(subject)}: "${name}" no longer receives events. ${reason}`,
    path: '/notifications',
    email: `${email}
was disabled. ${reason}
It no longer receives events. When the receiver is ready, enable the endpoint again, then replay the events that it
missed.
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
    title: `Access to ${account} ends${day}`,
    body: `${nameOf(subject)}: reconnect the account before then.`,
    path: '/notifications',
    email: `The workspace "${nameOf(subject)}" loses access to ${account}${day}.
We cannot renew it for you. Reconnect the account before then, or its scheduled posts will fail.
`,
  }
}

const endingTrial = (subject: Subject): AlertCopy => {
  const { endsAt, isLast } = subject.facts
  const next = isLast ? 'Choose a plan to keep publishing.' : 'The first payment follows.'
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
  const otherwise = endsAt ? `Otherwise access ends${onDay(endsAt)}.` : 'Otherwise scheduled posts will fail.'
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
