export { handler as createToken } from './create-token.ts'
export { handler as listTokens } from './list-tokens.ts'
export { handler as revokeToken } from './revoke-token.ts'
