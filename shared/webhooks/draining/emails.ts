import type { EmailMessage } from '../../aws/email.ts'
import { asSingleLine } from '../../text/single-line.ts'

/** The endpoint that an email is about. */
export interface AboutEndpoint {
  workspaceName: string
  name: string
  url: string
}

const describe = ({
  workspaceName,
  name,
  url,
}: AboutEndpoint) => `The webhook endpoint "${asSingleLine(name)}" of the workspace "${asSingleLine(workspaceName)}"
(${url})`

/** To the owner: an endpoint has been failing for hours, and what happens to its events. */
export const failingEmail = (to: string, about: AboutEndpoint, hours: number): EmailMessage => ({
  to,
  subject: `A webhook endpoint has been failing for ${hours} hours`,
  text: `${describe(about)}
has not accepted a delivery for ${hours} hours. Its events are waiting: the service sends one of them every half hour, and as
soon as that one is accepted, all others follow. Events that have waited for more than three days are dropped; you can replay
them. After five days without a success, the endpoint is disabled.
See the delivery log for the receiver's responses. "Send test" tries the endpoint at once.
`,
})

/** To the owner: an endpoint was disabled, and how to continue. */
export const disabledEmail = (to: string, about: AboutEndpoint, reason: string): EmailMessage => ({
  to,
  subject: 'A webhook endpoint was disabled',
  text: `${describe(about)}
was disabled. ${reason}
It no longer receives events. When the receiver is ready, enable the endpoint again. You can replay the events since then, for
as long as events are kept.
`,
})
