import type { AuditFields } from '../../audit/bounded.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/** The receiver without its path and query, which can be secrets themselves. */
const originOf = (url: string) => `${new URL(url).origin}/…`

/** An endpoint as the audit trail shows it. */
export const auditedEndpoint = ({
  name,
  url,
  events,
  enabled,
  includeChildWorkspaces = false,
}: WebhookEndpoint): AuditFields => ({
  name,
  url: originOf(url),
  events,
  enabled,
  ...(includeChildWorkspaces ? { includeChildWorkspaces } : {}),
})

/** The same after a change; states if only the path of the URL differs. */
export const auditedChange = (before: WebhookEndpoint, after: WebhookEndpoint): AuditFields => {
  const url = originOf(after.url)
  const isOtherPath = after.url !== before.url && url === originOf(before.url)
  return { ...auditedEndpoint(after), url: isOtherPath ? `${url} (another path)` : url }
}
