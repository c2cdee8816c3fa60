/** Endpoint discovery: DynamoDB has one endpoint per region. */
export const resolveEndpointDiscoveryConfig = <T>(input: T): T => input

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
}
