import {
  type IDataObject,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { type ReceivedEvent, verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts'

type EventType = ReceivedEvent['type']

/** Every event type by the name that n8n shows. A test compares them with those of the API. */
const eventNames: Readonly<Record<EventType, string>> = {
  'ai.completed': 'AI Job Completed',
  'post.cancelled': 'Post Cancelled',
  'post.comment_failed': 'Post Comment Failed',
  'post.comment_published': 'Post Comment Published',
  'post.live_delete_failed': 'Post Live Delete Failed',
  'post.live_deleted': 'Post Live Deleted',
  'post.live_edit_failed': 'Post Live Edit Failed',
  'post.live_edited': 'Post Live Edited',
  'post.publish_failed': 'Post Publish Failed',
  'post.published': 'Post Published',
  'post.rescheduled': 'Post Rescheduled',
  'post.scheduled': 'Post Scheduled',
  'post.updated': 'Post Updated',
  'social_account.connected': 'Account Connected',
  'social_account.disconnected': 'Account Disconnected',
  'social_account.reconnect_required': 'Account Reconnect Required',
  'workspace.payment_failed': 'Workspace Payment Failed',
  'workspace.trial_ending': 'Workspace Trial Ending',
}

/** The most event IDs that a node remembers. */
const mostSeen = 500

/** Starts a workflow on signed webhooks of the service. */
export class SocialPublishingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Social Publishing Service Trigger',
    name: 'socialPublishingTrigger',
    icon: 'file:social-publishing.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ") || "all events"}}',
    description: 'Starts the workflow when a post is published, fails, or changes',
    defaults: { name: 'Social Publishing Service Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'socialPublishingWebhookApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true }],
    properties: [
      {
        displayName:
          'Create a webhook endpoint with the production URL of this node, and store its signing secret in the credentials.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: Object.entries(eventNames)
          .map(([value, name]) => ({ name, value }))
          .sort((a, b) => a.name.localeCompare(b.name)),
        default: ['post.published', 'post.publish_failed'],
        description: 'Which events start the workflow. None means all that the endpoint receives.',
      },
    ],
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const credentials = await this.getCredentials('socialPublishingWebhookApi')
    const secrets = String(credentials['secret'] ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    // n8n keeps the bytes on the request: a body that was parsed and written again has another signature.
    const request: { rawBody?: Buffer; readRawBody?: () => Promise<void> } = this.getRequestObject()
    if (request.rawBody === undefined) await request.readRawBody?.()
    let event: ReceivedEvent
    try {
      event = await verifyWebhook(new Uint8Array(request.rawBody ?? []), this.getHeaderData(), secrets)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      this.getResponseObject().status(401).json({ error: error.message })
      return { noWebhookResponse: true }
    }
    const events = this.getNodeParameter('events', []) as string[]
    const data = this.getWorkflowStaticData('node')
    const seen = Array.isArray(data['seen']) ? data['seen'].map(String) : []
    if ((events.length > 0 && !events.includes(event.type)) || seen.includes(event.id)) return {}
    data['seen'] = [...seen, event.id].slice(-mostSeen)
    return { workflowData: [[{ json: JSON.parse(JSON.stringify(event)) as IDataObject }]] }
  }
}
