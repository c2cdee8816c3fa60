import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import { type GuardedService, mapped, operationOf, refuseAsJson } from '../guard.ts'

const actions: Readonly<Record<string, string>> = {
  CreateSecret: 'CreateSecret',
  PutSecretValue: 'PutSecretValue',
  GetSecretValue: 'GetSecretValue',
  DeleteSecret: 'DeleteSecret',
}

const Input = z.object({ SecretId: z.optional(z.string()), Name: z.optional(z.string()) })

/**
 * What Secrets Manager asks IAM for. It decides before it reveals whether a secret exists: the ARN of a missing one has no
 * six random characters at its end.
 */
export const secretsAccess = (arnOf: (id: string) => string | undefined): GuardedService => ({
  accessesOf(request) {
    const action = mapped(actions, 'Secrets Manager', operationOf(request))
    const { SecretId, Name = '' } = z.parse(Input, request.body)
    const id = SecretId ?? Name
    const missing = `arn:aws:secretsmanager:${region}:${accountId}:secret:${id}`
    return [{ action: `secretsmanager:${action}`, resource: id.startsWith('arn:') ? id : (arnOf(id) ?? missing) }]
  },
  refuse: refuseAsJson(400),
})
