import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

const shownFor = (resource: string, ...operations: string[]) => ({
  displayOptions: { show: { resource: [resource], ...(operations.length === 0 ? {} : { operation: operations }) } },
})

const operationsOf = (resource: string, options: INodePropertyOptions[], first: string): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  ...shownFor(resource),
  options,
  default: first,
})

const written = ['publish', 'schedule', 'validate']

/** The fields of the node, as n8n shows them. */
export const properties: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Account', value: 'account' },
      { name: 'Media', value: 'media' },
      { name: 'Post', value: 'post' },
    ],
    default: 'post',
  },
  operationsOf(
    'post',
    [
      {
        name: 'Cancel',
        value: 'cancel',
        action: 'Cancel a scheduled post',
        description: 'Cancel a scheduled post',
      },
      { name: 'Get', value: 'get', action: 'Get a post', description: 'Read a post with its state' },
      { name: 'Get Many', value: 'getAll', action: 'Get many posts', description: 'List posts, the newest first' },
      {
        name: 'Publish',
        value: 'publish',
        action: 'Publish a post now',
        description: 'Publish now, one post for each account',
      },
      {
        name: 'Reschedule',
        value: 'reschedule',
        action: 'Reschedule a post',
        description: 'Move a post to another time',
      },
      {
        name: 'Schedule',
        value: 'schedule',
        action: 'Schedule a post',
        description: 'Publish at a later time, one post for each account',
      },
      {
        name: 'Validate',
        value: 'validate',
        action: 'Validate a post',
        description: 'Check a post and publish nothing',
      },
    ],
    'schedule',
  ),
  operationsOf(
    'media',
    [
      {
        name: 'Upload',
        value: 'upload',
        action: 'Upload a file',
        description: 'Add a file of the item to the library',
      },
    ],
    'upload',
  ),
  operationsOf(
    'account',
    [{ name: 'Get Many', value: 'getAll', action: 'Get many accounts', description: 'List the connected accounts' }],
    'getAll',
  ),
  {
    displayName: 'Account Names or IDs',
    name: 'accounts',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'listAccounts' },
    required: true,
    ...shownFor('post', ...written),
    default: [],
    description:
      'Who posts. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Text',
    name: 'content',
    type: 'string',
    typeOptions: { rows: 4 },
    ...shownFor('post', ...written),
    default: '',
    description: 'The text of the post. Each platform has its own limit.',
  },
  {
    displayName: 'Time',
    name: 'scheduledAt',
    type: 'dateTime',
    required: true,
    ...shownFor('post', 'schedule', 'reschedule'),
    default: '',
    description: 'When to publish. A time without a zone is one of the time zone of the workflow.',
  },
  {
    displayName: 'Post ID',
    name: 'postId',
    type: 'string',
    required: true,
    ...shownFor('post', 'get', 'reschedule', 'cancel'),
    default: '',
    description: 'The ID of the post',
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    ...shownFor('post', ...written),
    default: {},
    options: [
      {
        displayName: 'External ID',
        name: 'externalId',
        type: 'string',
        default: '',
        description: 'Your own ID, on the posts and their events',
      },
      {
        displayName: 'First Comment',
        name: 'firstComment',
        type: 'string',
        default: '',
        description: 'A comment that each account writes under its post once it is live',
      },
      {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: '',
        description:
          'What must be posted once, such as an ID of your data. By default the execution and the item. The service keeps it for a day.',
      },
      {
        displayName: 'Media',
        name: 'mediaUrls',
        type: 'string',
        default: '',
        description:
          'The files in order, separated by commas: IDs of the library (med_…), or public https addresses, which are fetched',
      },
      {
        displayName: 'Metadata',
        name: 'metadata',
        type: 'json',
        default: '{}',
        description: 'Fields that only one platform has, by platform: {"slack":{"channelId":"C0123"}}',
      },
    ],
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    ...shownFor('post', 'getAll'),
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    displayOptions: { show: { resource: ['post'], operation: ['getAll'], returnAll: [false] } },
    default: 50,
    description: 'Max number of results to return',
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    ...shownFor('post', 'getAll'),
    default: {},
    options: [
      {
        displayName: 'External ID',
        name: 'externalId',
        type: 'string',
        default: '',
        description: 'Only posts with this ID of yours',
      },
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: [
          { name: 'Canceled', value: 'cancelled' },
          { name: 'Failed', value: 'failed' },
          { name: 'Published', value: 'published' },
          { name: 'Scheduled', value: 'scheduled' },
        ],
        default: 'scheduled',
        description: 'Only posts with this status',
      },
    ],
  },
  {
    displayName: 'Input Binary Field',
    name: 'binaryPropertyName',
    type: 'string',
    required: true,
    ...shownFor('media', 'upload'),
    default: 'data',
    hint: 'The name of the input field that has the file',
    description: 'An image, a video, or a document',
  },
  {
    displayName: 'Alt Text',
    name: 'altText',
    type: 'string',
    ...shownFor('media', 'upload'),
    default: '',
    description: 'A text for people who cannot see the image',
  },
]
