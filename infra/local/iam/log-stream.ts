import { accountId, region } from '../template/account.ts'
import type { Access } from './access.ts'

/** What Lambda asks IAM for with the role of a function to write its logs (Lambda guide, "Execution role permissions"). */
export const logAccesses = (functionName: string, logGroup = `/aws/lambda/${functionName}`): Access[] =>
  ['CreateLogStream', 'PutLogEvents'].map((action) => ({
    action: `logs:${action}`,
    resource: `arn:aws:logs:${region}:${accountId}:log-group:${logGroup}:log-stream:${functionName}`,
  }))
