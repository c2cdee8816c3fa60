import { definition } from '../../../shared/platforms/bluesky/definition.ts'
import { formLink } from '../../../shared/social-accounts/form-link.ts'

export const handler = formLink(definition, {
  account: 'Bluesky account',
  inputs: 'the handle and an app password',
})
