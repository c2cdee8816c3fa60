import type { APIGatewayProxyEvent } from 'aws-lambda'
import { InvalidPermissions } from '../gateway/invalid-permissions.ts'
import type { Principal } from '../iam/access.ts'
import type { Authority } from '../iam/authority.ts'
import { accountId, region } from '../template/account.ts'
import type { ClockPlan } from '../template/functions.ts'
import type { Invoke } from './deliver-schedule.ts'

const functionArn = (name: string) => `arn:aws:lambda:${region}:${accountId}:function:${name}`

/** Invokes functions on behalf of a service, which the function's policy must permit. */
const invokeAs = (authority: Authority, invoke: Invoke, principal: Principal): Invoke => {
  return async (functionName, event) => {
    const access = { action: 'lambda:InvokeFunction', resource: functionArn(functionName) }
    const refusal = authority.refusal(principal, [access])
    if (refusal !== undefined) throw new InvalidPermissions(refusal)
    return invoke(functionName, event)
  }
}

/** Invokes functions as API Gateway, for one method of a resource. */
export const invokeForApi =
  (authority: Authority, invoke: Invoke) =>
  (functionName: string, event: APIGatewayProxyEvent): Promise<unknown> => {
    const { httpMethod, resource, requestContext } = event
    const stage = `${requestContext.apiId}/${requestContext.stage}`
    const sourceArn = `arn:aws:execute-api:${region}:${accountId}:${stage}/${httpMethod}${resource}`
    const principal = { kind: 'service', service: 'apigateway.amazonaws.com', sourceArn } as const
    return invokeAs(authority, invoke, principal)(functionName, event)
  }

/** Invokes a function as the rule that is its clock. */
export const invokeForClock =
  (authority: Authority, invoke: Invoke) =>
  ({ functionName, ruleArn }: ClockPlan): Promise<unknown> => {
    const principal = { kind: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn } as const
    return invokeAs(authority, invoke, principal)(functionName, {})
  }
