import type { Context } from '../context.ts'
import { issuerOf, resourceOf } from './resource.ts'
import { assistantScopes } from './scopes.ts'

/** The metadata of the authorization server (RFC 8414, 2). */
export const serverMetadata = (ctx: Context) => {
  const base = issuerOf(ctx)
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/api/oauth/token`,
    registration_endpoint: `${base}/api/oauth/register`,
    revocation_endpoint: `${base}/api/oauth/revoke`,
    scopes_supported: assistantScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${base}/api/docs/guides/assistants`,
  }
}

/** The metadata of the protected resource (RFC 9728, 2): the MCP server. */
export const resourceMetadata = (ctx: Context) => ({
  resource: resourceOf(ctx),
  authorization_servers: [issuerOf(ctx)],
  scopes_supported: assistantScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Social Publishing',
  resource_documentation: `${issuerOf(ctx)}/api/docs/guides/assistants`,
})
