import type { ICredentialType, INodeProperties } from 'n8n-workflow'

/** The signing secret of a webhook endpoint. There is no request that could test it: only deliveries are signed. */
export class SocialPublishingWebhookApi implements ICredentialType {
  name = 'socialPublishingWebhookApi'
  displayName = 'Social Publishing Service Webhook API'
  icon = 'file:social-publishing.svg' as const
  properties: INodeProperties[] = [
    {
      displayName: 'Signing Secret',
      name: 'secret',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      placeholder: 'whsec_…',
      description:
        'The secret of the webhook endpoint, which the service shows when the endpoint is created. During a rotation, both secrets, separated by a comma.',
    },
  ]
}
