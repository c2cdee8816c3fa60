import { definition } from '../../../shared/platforms/wordpress/definition.ts'
import { formLink } from '../../../shared/social-accounts/form-link.ts'

export const handler = formLink(definition, {
  account: 'WordPress site',
  inputs: 'the site, the username, and an application password',
})
