import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { openText } from '../../../shared/aws/keys.ts'
import type { Context } from '../../../shared/context.ts'
import { endpoints, secretPurpose } from '../../../shared/webhooks/endpoint.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'

/** What a receiver would have been given: the signing secret of each webhook endpoint, by its address. */
export interface EndpointSecrets {
  of(endpointUrl: string): string | undefined
  /** Reads them anew, after endpoints changed. */
  refresh(): Promise<void>
}

const scanEndpoints = async (dynamodb: DynamoDBClient, ctx: Context) => {
  const items: Record<string, AttributeValue>[] = []
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: ctx.env('TABLE_NAME'),
        FilterExpression: '#type = :type',
        ExpressionAttributeNames: { '#type': 'type' },
        ExpressionAttributeValues: { ':type': { S: 'Endpoint' } },
        ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}),
      }),
    )
    items.push(...(page.Items ?? []))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items.map((item) => endpoints.parse(unmarshall(item)))
}

/** The inbox checks signatures as a receiver would; no receiver can ask the service for its secret, so this one looks. */
export const watchEndpointSecrets = (dynamodb: DynamoDBClient, ctx: Context): EndpointSecrets => {
  const known = new Map<string, string>()
  return {
    of: (endpointUrl) => known.get(endpointUrl),
    async refresh() {
      for (const { id, workspaceId, url, secrets } of await scanEndpoints(dynamodb, ctx)) {
        const workspace = await workspaces.get(ctx, { id: workspaceId })
        const [newest] = secrets
        if (workspace && newest) known.set(url, await openText(ctx, workspace, secretPurpose(id), newest.sealed))
      }
    },
  }
}
