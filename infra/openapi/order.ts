import type * as api from '../../functions/api/index.ts'

/**
 * The operations of each group in the order of use: what people come for first, then what they read, change, and delete.
 * Operations of one path stand together, as OpenAPI has them. What is not listed comes last in its group.
 */
const order: { readonly [Group in keyof typeof api]: readonly (keyof (typeof api)[Group])[] } = {
  ai: ['generate', 'rewrite', 'transcribe', 'createJob', 'getJob', 'getUsage'],
  auth: [
    'signUp',
    'verifyEmail',
    'resendVerification',
    'signIn',
    'signOut',
    'getSession',
    'listSessions',
    'revokeSession',
    'revokeOtherSessions',
    'requestPasswordReset',
    'resetPassword',
    'changePassword',
    'enrollTwoFactor',
    'confirmTwoFactor',
    'replaceRecoveryCodes',
    'disableTwoFactor',
    'previewDeletion',
    'deleteAccount',
  ],
  billing: ['get', 'checkout', 'change', 'cancel', 'resume', 'portal', 'stripeWebhook'],
  cli: ['createToken', 'listTokens', 'revokeToken', 'startDeviceLogin', 'pollDeviceLogin'],
  drafts: ['create', 'list', 'get', 'update', 'delete'],
  media: ['createUploadUrl', 'complete', 'list', 'get', 'delete'],
  memory: [
    'createCollection',
    'listCollections',
    'getCollection',
    'updateCollection',
    'deleteCollection',
    'create',
    'list',
    'search',
    'delete',
  ],
  meta: ['health', 'openapi', 'docs', 'docsViewer', 'guide', 'errorCode', 'llms', 'llmsFull'],
  notifications: [
    'status',
    'getSettings',
    'updateSettings',
    'registerDevice',
    'listDevices',
    'sendTest',
    'deleteDevice',
  ],
  platforms: ['list'],
  posts: [
    'schedule',
    'publishNow',
    'validate',
    'list',
    'get',
    'update',
    'delete',
    'reschedule',
    'cancel',
    'listAttempts',
    'scheduleThread',
    'publishThreadNow',
    'xCapUsage',
  ],
  socialAccounts: [
    'list',
    'connect',
    'connectBluesky',
    'createBlueskyLink',
    'connectNostr',
    'createNostrLink',
    'callback',
    'update',
    'disconnect',
    'pinterestBoards',
    'createPinterestBoard',
    'discordChannels',
    'slackChannels',
    'redditFlairOptions',
    'redditPostRequirements',
  ],
  team: [
    'invite',
    'listInvitations',
    'revokeInvitation',
    'acceptInvitation',
    'listMembers',
    'changeRole',
    'remove',
    'suspend',
    'reactivate',
    'leave',
    'transferOwnership',
  ],
  webhooks: [
    'create',
    'list',
    'get',
    'update',
    'delete',
    'sendTest',
    'rotateSecret',
    'listDeliveries',
    'getDelivery',
    'redeliver',
    'replay',
    'getReplay',
    'listEvents',
    'listEventLog',
  ],
  workspaces: [
    'create',
    'list',
    'get',
    'update',
    'delete',
    'listQuotas',
    'listAudit',
    'getVoice',
    'updateVoice',
    'listConnections',
    'revokeConnection',
    'export',
    'getExport',
    'listExports',
    'createExportLink',
    'downloadExport',
  ],
}

const positions = new Map(
  Object.entries(order)
    .flatMap(([group, actions]) => [...actions.map((action) => `${group}.${action}`), group])
    .map((operation, at) => [operation, at]),
)

/** Where an operation stands in the reference. */
export const positionOf = (operation: string): number => {
  const [group = ''] = operation.split('.')
  const position = positions.get(operation) ?? positions.get(group)
  if (position === undefined) throw new Error(`infra/openapi/order.ts has no group for ${operation}`)
  return position
}
