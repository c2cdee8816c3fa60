import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { ConnectLinkView, CreateConnectLink } from './connect-request.ts'
import { OwnerId } from './owner-id.ts'

/** The parameters of a link to the connections of a customer. */
export const CreateConnectionsLink = z
  .extend(CreateConnectLink, {
    externalId: described(
      OwnerId,
      'Your own id of the customer. The page has the accounts that have it as `externalId`.',
    ),
    redirectUrl: z.optional(
      described(
        CreateConnectLink.shape.redirectUrl.def.innerType,
        'The page has a link to this URL, and a person who connects an account again returns there with the outcome. One of the `redirectUrls` of the workspace.',
      ),
    ),
  })
  .register(z.globalRegistry, {
    id: 'CreateConnectionsLinkRequest',
    description: 'Whose connections the page shows, and where the person returns.',
  })

/** A link to the connections of a customer, as the API shows it. */
export const ConnectionsLinkView = z.object({
  id: described(z.string(), 'The ID of the link, `lnk_…`, to revoke it.'),
  url: described(z.string(), 'The URL of the page, for the customer only.'),
  expiresAt: ConnectLinkView.shape.expiresAt,
})
