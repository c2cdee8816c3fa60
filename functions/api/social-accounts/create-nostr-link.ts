import { definition } from '../../../shared/platforms/nostr/definition.ts'
import { formLink } from '../../../shared/social-accounts/form-link.ts'

export const handler = formLink(definition, {
  account: 'Nostr account',
  inputs: 'the secret key, the relays, and a media server',
})
