import { region } from '../../template/account.ts'
import { type GuardedService, refuseAsJson } from '../guard.ts'

/** What Bedrock asks IAM for: its models belong to no account. */
export const bedrockAccess: GuardedService = {
  accessesOf({ method, path }) {
    const [, model] = /^\/model\/([^/]+)\/converse$/.exec(path) ?? []
    if (method !== 'POST' || model === undefined) {
      throw new Error(`the local IAM does not know which action ${method} ${path} takes`)
    }
    const resource = `arn:aws:bedrock:${region}::foundation-model/${decodeURIComponent(model)}`
    return [{ action: 'bedrock:InvokeModel', resource }]
  },
  refuse: refuseAsJson(403),
}
