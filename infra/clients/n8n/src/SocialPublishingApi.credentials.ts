import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

/** A personal access token, or a token of an application, and where it is used. */
export class SocialPublishingApi implements ICredentialType {
  name = 'socialPublishingApi'
  displayName = 'Social Publishing Service API'
  icon = 'file:social-publishing.svg' as const
  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://api.example.com',
      description: 'The address of the service',
    },
    {
      displayName: 'Access Token',
      name: 'accessToken',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description:
        'A personal access token with the scopes workspace:read, posts:read, posts:schedule, and posts:publish, and media:write for uploads, or the token of an application (svc_app_…)',
    },
    {
      displayName: 'Workspace ID',
      name: 'workspaceId',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'ws_…',
      description: 'The workspace of the token; of the token of an application, the workspace to act in',
    },
  ]
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: {
        Authorization: '=Bearer {{$credentials.accessToken}}',
        'X-Workspace-Id': '={{$credentials.workspaceId}}',
      },
    },
  }
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/api/social-accounts' },
  }
}
