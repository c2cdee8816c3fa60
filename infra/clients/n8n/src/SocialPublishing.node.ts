import {
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { clientOf } from './client-of.ts'
import { failureOf, toNodeError } from './errors.ts'
import { executionOf, operations } from './operations.ts'
import { properties } from './properties.ts'

/** Schedules, publishes, and reads posts, and uploads media. */
export class SocialPublishing implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Social Publishing Service',
    name: 'socialPublishing',
    icon: 'file:social-publishing.svg',
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Schedule and publish posts on social platforms',
    defaults: { name: 'Social Publishing Service' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'socialPublishingApi', required: true }],
    properties,
  }

  methods = {
    loadOptions: {
      /** The connected accounts for the list of the field. */
      async listAccounts(this: ILoadOptionsFunctions) {
        const accounts = await clientOf(await this.getCredentials('socialPublishingApi')).socialAccounts.list()
        return accounts.map(({ id, providerId, username, displayName, needsReconnect }) => ({
          name: `${providerId}: ${username ?? displayName ?? id}${needsReconnect ? ' (connect it again)' : ''}`,
          value: id,
        }))
      },
    },
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData()
    const { execution, hasFailed, hasEnded } = executionOf(this, items)
    const output: INodeExecutionData[] = []
    for (const index of items.keys()) {
      try {
        const client = clientOf(await this.getCredentials('socialPublishingApi', index))
        const name = `${this.getNodeParameter('resource', index)}.${this.getNodeParameter('operation', index)}`
        const run = operations[name]
        if (run === undefined) throw new Error(`There is no operation ${name}.`)
        for (const data of await run({ n8n: this, client, index, execution })) {
          output.push({ json: { ...data }, pairedItem: { item: index } })
        }
      } catch (error) {
        if (!this.continueOnFail()) {
          hasFailed()
          throw toNodeError(this.getNode(), error, index)
        }
        output.push({ json: failureOf(error), pairedItem: { item: index } })
      }
    }
    hasEnded()
    return [output]
  }
}
