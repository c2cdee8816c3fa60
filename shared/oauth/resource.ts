import type { Context } from '../context.ts'

/** The issuer of this authorization server (RFC 8414, 2): the origin of the host. */
export const issuerOf = (ctx: Context): string => ctx.env('BASE_URL')

/** The path of the one resource that its tokens are for: the MCP server. */
export const resourcePath = '/api/mcp'

/** The identifier of the resource (RFC 8707): the audience of every access token. */
export const resourceOf = (ctx: Context): string => `${ctx.env('BASE_URL')}${resourcePath}`
