import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { type ReceivedEvent, verifyWebhook, WebhookVerificationError } from '../../javascript/src/index.ts'
import { type Endpoint, forgetEndpoint, isRegistered, registerEndpoint } from './endpoint.ts'
import { toNodeError } from './errors.ts'

type EventType = ReceivedEvent['type']

/** Every event type by the name that n8n shows. A test compares them with those of the API. */
const eventNames: Readonly<Record<EventType, string>> = {
  'ai.completed': 'AI Job Completed',
  'post.cancelled': 'Post Canceled',
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
  'social_account.access_ending': 'Account Access Ending',
  'social_account.connected': 'Account Connected',
  'social_account.disconnected': 'Account Disconnected',
  'social_account.reconnect_required': 'Account Reconnect Required',
  'workspace.payment_failed': 'Workspace Payment Failed',
  'workspace.trial_ending': 'Workspace Trial Ending',
}

/** The most event IDs that a node remembers. */
const maxSeen = 500

type Reading = Pick<IHookFunctions, 'getNodeParameter' | 'getWorkflowStaticData' | 'getNode'>

/** Whether the node manages its endpoint; otherwise the person did, and stored its secret in credentials. */
const managesEndpoint = (hook: Reading): boolean => hook.getNodeParameter('endpoint', 'manual') === 'managed'

/** The endpoint that this node has registered, which n8n keeps with the workflow. */
const storedBy = (hook: Reading) => hook.getWorkflowStaticData('node') as { endpoint?: Endpoint }

/** The event types of the node: all, if it names none. */
const wishOf = (hook: IHookFunctions) => {
  const url = hook.getNodeWebhookUrl('default')
  if (url === undefined) throw new Error('n8n gives this node no webhook URL.')
  const chosen = hook.getNodeParameter('events', []) as EventType[]
  const events = chosen.length > 0 ? chosen : (Object.keys(eventNames) as EventType[])
  return { name: `n8n: ${hook.getNode().name}`.slice(0, 80), url, events }
}

/** Runs a step of a registration; its error is one of the node. */
const step = async (hook: IHookFunctions, run: () => Promise<boolean>): Promise<boolean> => {
  if (!managesEndpoint(hook)) return true
  try {
    return await run()
  } catch (error) {
    throw toNodeError(hook.getNode(), error, 0)
  }
}

/** The secrets by which a delivery can be signed. */
const secretsOf = async (hook: IWebhookFunctions): Promise<string[]> => {
  if (managesEndpoint(hook)) return [storedBy(hook).endpoint?.secret ?? '']
  const credentials = await hook.getCredentials('socialPublishingWebhookApi')
  return String(credentials['secret'] ?? '').split(',')
}

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
    credentials: [
      { name: 'socialPublishingWebhookApi', required: true, displayOptions: { show: { endpoint: ['manual'] } } },
      { name: 'socialPublishingApi', required: true, displayOptions: { show: { endpoint: ['managed'] } } },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true }],
    properties: [
      {
        displayName: 'Webhook Endpoint',
        name: 'endpoint',
        type: 'options',
        options: [
          {
            name: 'Created by Hand',
            value: 'manual',
            description: 'You create it, and store its secret in credentials',
          },
          {
            name: 'Managed by This Node',
            value: 'managed',
            description: 'Needs credentials with the token of an application, svc_app_…',
          },
        ],
        default: 'manual',
        description: 'Who creates the webhook endpoint of the service that sends events to this node',
      },
      {
        displayName:
          'Create a webhook endpoint with the production URL of this node, and store its signing secret in the credentials.',
        name: 'notice',
        type: 'notice',
        displayOptions: { show: { endpoint: ['manual'] } },
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

  webhookMethods = {
    default: {
      checkExists(this: IHookFunctions): Promise<boolean> {
        return step(this, async () =>
          isRegistered(await this.getCredentials('socialPublishingApi'), storedBy(this).endpoint, wishOf(this)),
        )
      },
      create(this: IHookFunctions): Promise<boolean> {
        return step(this, async () => {
          const stored = storedBy(this)
          const credentials = await this.getCredentials('socialPublishingApi')
          stored.endpoint = await registerEndpoint(credentials, stored.endpoint, wishOf(this))
          return true
        })
      },
      delete(this: IHookFunctions): Promise<boolean> {
        return step(this, async () => {
          const stored = storedBy(this)
          const { endpoint } = stored
          // The URL of a test run differs from that of the active workflow, whose endpoint stays.
          if (endpoint === undefined || endpoint.url !== this.getNodeWebhookUrl('default')) return true
          await forgetEndpoint(await this.getCredentials('socialPublishingApi'), endpoint)
          delete stored.endpoint
          return true
        })
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const secrets = (await secretsOf(this)).map((each) => each.trim()).filter((each) => each !== '')
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
    data['seen'] = [...seen, event.id].slice(-maxSeen)
    return { workflowData: [[{ json: JSON.parse(JSON.stringify(event)) as IDataObject }]] }
  }
}
