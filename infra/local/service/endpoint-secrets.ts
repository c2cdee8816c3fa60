import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { decryptText } from '../../../shared/aws/keys.ts'
import type { Context } from '../../../shared/context.ts'
import { allOf, begins, equal } from '../../../shared/db/expression.ts'
import { queryAll } from '../../../shared/db/table.ts'
import { endpoints, secretPurpose, type WebhookEndpoint } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { storedMap } from '../platforms/stored-map.ts'

/** What a receiver would know: the signing secret of each webhook endpoint, by its address. */
export interface EndpointSecrets {
  of(endpointUrl: string): string | undefined
  /** Reads the secrets of all workspaces that are known to have endpoints. */
  readAll(): Promise<void>
  /** Reads those of a workspace again, after its endpoints changed. */
  refresh(workspaceId: string): Promise<void>
}

const secretRoutes = ['POST /api/webhooks', 'PATCH /api/webhooks/{id}', 'POST /api/webhooks/{id}/rotate-secret']

/** Whether a route changes the secret or the address of an endpoint. */
export const changesSecrets = (method: string, resource: string): boolean =>
  secretRoutes.includes(`${method} ${resource}`)

/** The workspaces that have endpoints, found once in tables that an earlier version left. */
const scanWorkspaces = async (dynamodb: DynamoDBClient, ctx: Context): Promise<Set<string>> => {
  const secrets = new Set<string>()
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
    for (const item of page.Items ?? []) secrets.add(endpoints.parse(unmarshall(item)).workspaceId)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return secrets
}

const endpointsOf = async (ctx: Context, workspaceId: string): Promise<WebhookEndpoint[]> => {
  const { PK, SK } = endpoints.key({ workspaceId, id: '' })
  return (await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })).map(endpoints.parse)
}

/**
 * The inbox verifies signatures as a receiver would. A receiver cannot ask the service for its secret, so the inbox looks it
 * up. It remembers which workspaces have endpoints, so that its reads do not grow with the table.
 */
export const watchEndpointSecrets = (
  dynamodb: DynamoDBClient,
  ctx: Context,
  folder: string | undefined,
): EndpointSecrets => {
  const file = folder && join(folder, 'endpoint-workspaces.jsonl')
  const mayHoldOlder = file !== undefined && !existsSync(file)
  const having = storedMap<true>(file)
  const known = new Map<string, string>()
  // Decrypted secrets stay cached: in a service with a hundred endpoints, they are looked up one at a time.
  const opened = new Map<string, string>()
  const open = async ({ id, workspaceId }: WebhookEndpoint, sealed: string) => {
    const workspace = opened.has(sealed) ? undefined : await workspaces.get(ctx, { id: workspaceId })
    if (workspace) opened.set(sealed, await decryptText(ctx, workspace, secretPurpose(id), sealed))
    return opened.get(sealed)
  }
  const refresh = async (workspaceId: string) => {
    for (const endpoint of await endpointsOf(ctx, workspaceId)) {
      if (having.get(workspaceId) === undefined) having.set(workspaceId, true)
      const [newest] = endpoint.secrets
      const secret = newest && (await open(endpoint, newest.sealed))
      if (secret) known.set(endpoint.url, secret)
    }
  }
  return {
    of: (endpointUrl) => known.get(endpointUrl),
    refresh,
    async readAll() {
      if (mayHoldOlder) for (const id of await scanWorkspaces(dynamodb, ctx)) having.set(id, true)
      for (const id of [...having.keys()]) await refresh(id)
    },
  }
}
