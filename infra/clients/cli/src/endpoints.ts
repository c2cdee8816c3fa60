import type { Client } from '../../javascript/src/index.ts'
import { Usage } from './errors.ts'

/** The ID of an endpoint that is given by its ID or its name. */
export const endpointNamed = async (client: Client, given: string, signal: AbortSignal): Promise<string> => {
  // A personal access token may use an endpoint, but not list them.
  if (/^whe_\w+$/.test(given)) return given
  const endpoints = await client.webhooks.list({ signal })
  const matching = endpoints.filter(({ name, url }) => name === given || url === given)
  if (matching.length === 1 && matching[0]) return matching[0].id
  const why =
    matching.length > 1
      ? `is the name of ${matching.length} endpoints. Use the ID of one.`
      : 'is not a webhook endpoint. "social webhooks" lists them.'
  throw new Usage(`"${given}" ${why}`)
}
