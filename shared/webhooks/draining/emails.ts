import type { EmailMessage } from '../../aws/email.ts'
import { asSingleLine } from '../../text/single-line.ts'

/** The endpoint a letter is about, as its owner knows it. */
export interface AboutEndpoint {
  workspaceName: string
  name: string
  url: string
}

const about = ({
  workspaceName,
  name,
  url,
}: AboutEndpoint) => `The webhook endpoint "${asSingleLine(name)}" of the workspace "${asSingleLine(workspaceName)}"
(${url})`

/** Tells an owner that a receiver has not taken anything for hours, and what becomes of the events. */
export const failingEmail = (to: string, told: AboutEndpoint, hours: number): EmailMessage => ({
  to,
  subject: `A webhook endpoint has been failing for ${hours} hours`,
  text: `${about(told)}
has not taken a delivery for ${hours} hours. Its events wait: one of them is tried every half an hour, and as soon as that is
taken allOf others follow. What waited for more than three days is given up, and can be sent again by a replay. After five days
without a success the endpoint is switched off.

Its log tells what the receiver answers; "Send test" tries it at once.
`,
})

/** Tells an owner that an endpoint was switched off, and how to go on. */
export const disabledEmail = (to: string, told: AboutEndpoint, reason: string): EmailMessage => ({
  to,
  subject: 'A webhook endpoint was switched off',
  text: `${about(told)}
was switched off. ${reason}

Nothing is sent to it anyOf more. When the receiver is ready, enable the endpoint again; what happened meanwhile can be sent by
a replay, for as long as events are kept.
`,
})
