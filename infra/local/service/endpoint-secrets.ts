import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { openText } from '../../../shared/aws/keys.ts'
import type { Context } from '../../../shared/context.ts'
import { type Endpoint, endpoints, secretPurpose } from '../../../shared/webhooks/endpoint.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'

/** What a receiver would have been given: the signing secret of each webhook endpoint, by its address. */
export interface EndpointSecrets {
  of(endpointUrl: string): string | undefined
  /** Reads them anew, after endpoints changed. */
  refresh(): Promise<void>
}

const secretRoutes = ['POST /api/webhooks', 'PATCH /api/webhooks/{id}', 'POST /api/webhooks/{id}/rotate-secret']

/** Whether a route gives an endpoint another secret or another address. */
export const changesSecrets = (method: string, resource: string): boolean =>
  secretRoutes.includes(`${method} ${resource}`)

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
  // What was opened stays open: a service with a hundred endpoints is asked for one at a time.
  const opened = new Map<string, string>()
  const open = async ({ id, workspaceId }: Endpoint, sealed: string) => {
    const workspace = opened.has(sealed) ? undefined : await workspaces.get(ctx, { id: workspaceId })
    if (workspace) opened.set(sealed, await openText(ctx, workspace, secretPurpose(id), sealed))
    return opened.get(sealed)
  }
  return {
    of: (endpointUrl) => known.get(endpointUrl),
    async refresh() {
      for (const endpoint of await scanEndpoints(dynamodb, ctx)) {
        const [newest] = endpoint.secrets
        const secret = newest && (await open(endpoint, newest.sealed))
        if (secret) known.set(endpoint.url, secret)
      }
    },
  }
}
