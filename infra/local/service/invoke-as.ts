import type { APIGatewayProxyEvent } from 'aws-lambda'
import { InvalidPermissions } from '../gateway/invalid-permissions.ts'
import type { Principal } from '../iam/access.ts'
import type { Authority } from '../iam/authority.ts'
import { functionNameIn } from '../template/arn.ts'
import type { ClockPlan } from '../template/functions.ts'
import type { Invoke } from './deliver-schedule.ts'

/** Invokes functions for a principal that may. */
const invokeAs = (authority: Authority, invoke: Invoke, principal: Principal): Invoke => {
  return async (functionArn, event) => {
    const access = { action: 'lambda:InvokeFunction', resource: functionArn }
    const refusal = authority.refusal(principal, [access])
    if (refusal !== undefined) throw new InvalidPermissions(refusal)
    return invoke(functionNameIn(functionArn), event)
  }
}

const assumeForApi = (authority: Authority, roleArn: string): Principal => {
  try {
    // Without a source (infra/deploy/stacks/gateway.ts).
    return authority.assume(roleArn, 'apigateway', 'apigateway.amazonaws.com')
  } catch (error) {
    throw new InvalidPermissions(error instanceof Error ? error.message : String(error))
  }
}

/** Invokes functions as API Gateway, in the role of an integration. */
export const invokeForApi =
  (authority: Authority, invoke: Invoke) =>
  async (functionArn: string, roleArn: string, event: APIGatewayProxyEvent): Promise<unknown> =>
    invokeAs(authority, invoke, assumeForApi(authority, roleArn))(functionArn, event)

/** Invokes a function as the rule that is its clock. */
export const invokeForClock =
  (authority: Authority, invoke: Invoke) =>
  ({ functionArn, ruleArn }: ClockPlan): Promise<unknown> => {
    const principal = { kind: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn } as const
    return invokeAs(authority, invoke, principal)(functionArn, {})
  }
