import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { AccessTokenView } from '../identity/access-token.ts'

/** A token of an application, as the API lists it. */
export const ApplicationTokenView = z
  .extend(z.omit(AccessTokenView, { scopes: true }), {
    id: described(z.string(), 'The ID of the token, the part after `svc_app_` in its text.'),
    workspaceId: described(z.string(), 'The workspace that the application belongs to, `ws_…`.'),
  })
  .register(z.globalRegistry, { id: 'ApplicationToken', description: 'A token of an application without its secret.' })

/** A new token with its plain text, which is shown once. */
export const NewApplicationToken = z.extend(z.omit(ApplicationTokenView, { lastUsedAt: true, revokedAt: true }), {
  token: described(z.string(), 'The token itself, `svc_app_…`. It is shown only here: store it now.'),
})
