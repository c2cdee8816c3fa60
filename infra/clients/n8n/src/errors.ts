import { type IDataObject, type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow'
import { SocialError } from '../../javascript/src/index.ts'

/** The service's message about a call, as the output of a node that continues has it. */
export const failureOf = (error: unknown): IDataObject => {
  if (!(error instanceof SocialError)) return { error: error instanceof Error ? error.message : String(error) }
  const { code, message, status, field, requestId, docUrl } = error
  const issues = error.issues.map((issue): IDataObject => ({ ...issue }))
  return { error: message, code, status, field, issues, requestId, docUrl }
}

/** The field, each rule, and how to fix it, in lines. */
const describe = ({ code, field, issues, requestId, docUrl }: SocialError): string => {
  const reasons = issues.map((issue) =>
    [(issue.field ?? field) && `${issue.field ?? field}:`, issue.message, issue.next].filter(Boolean).join(' '),
  )
  const details = [
    `Code ${code}`,
    field && reasons.length === 0 && `field ${field}`,
    requestId && `request ${requestId}`,
  ]
  return [...reasons, details.filter(Boolean).join(', '), docUrl].filter(Boolean).join('\n')
}

/** An error as n8n shows it: the sentence of the service, with the field, the rule, and the fix below. */
export const toNodeError = (node: INode, error: unknown, itemIndex: number): NodeApiError | NodeOperationError => {
  if (error instanceof NodeOperationError || error instanceof NodeApiError) return error
  if (!(error instanceof SocialError)) {
    return new NodeOperationError(node, error instanceof Error ? error : String(error), { itemIndex })
  }
  const { message, status } = error
  const description = describe(error)
  const shown = { message, description, itemIndex, ...(status === 0 ? {} : { httpCode: String(status) }) }
  const made = new NodeApiError(node, failureOf(error) as JsonObject, shown)
  // n8n has standard sentences for some statuses; the service's message is more specific.
  made.message = message
  made.description = description
  return made
}
