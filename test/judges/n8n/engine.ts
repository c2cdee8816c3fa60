import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type {
  IDataObject,
  INode,
  INodeType,
  INodeTypeData,
  IWorkflowExecuteAdditionalData,
  WorkflowExecuteMode,
} from 'n8n-workflow'
import { buildNodes } from '../../../infra/commands/n8n.ts'

const require = createRequire(import.meta.url)
const core: typeof import('n8n-core') = require('n8n-core')
const n8n: typeof import('n8n-workflow') = require('n8n-workflow')

/** As n8n installs a community node: it finds the n8n-workflow of its host. */
const parent = join(import.meta.dirname, 'node_modules')

/** A node that hands over the items of its parameter. */
const start: INodeType = {
  description: {
    displayName: 'Start',
    name: 'start',
    group: ['trigger'],
    version: 1,
    description: 'Hands over items',
    defaults: { name: 'Start' },
    inputs: [],
    outputs: ['main'],
    properties: [{ displayName: 'Items', name: 'items', type: 'json', default: '[]' }],
  },
  async execute() {
    return [JSON.parse(String(this.getNodeParameter('items', 0)))]
  },
}

export interface Run {
  parameters: Record<string, unknown>
  items?: readonly object[]
  executionId?: string
  mode?: WorkflowExecuteMode
  continues?: boolean
  staticData?: IDataObject
}

/** The built package, loaded by n8n, and n8n's engine that runs workflows with it. */
export const openEngine = async (credentials: () => Record<string, IDataObject>) => {
  const folder = mkdtempSync(join(parent, '.n8n-nodes-'))
  await buildNodes(folder)
  const loader = new core.PackageDirectoryLoader(folder)
  await loader.loadAll()
  const types: Record<string, INodeTypeData> = {
    ...Object.fromEntries(
      Object.entries(loader.nodeTypes).map(([name, type]) => [`n8n-nodes-social-publishing.${name}`, type]),
    ),
    'test.start': { type: start, sourcePath: '' },
  }
  const nodeTypes = {
    getByName: (name: string) => types[name]?.type as INodeType,
    getByNameAndVersion: (name: string) => types[name]?.type as INodeType,
    getKnownTypes: () => ({}),
  }
  const additionalData = (executionId: string): IWorkflowExecuteAdditionalData =>
    ({
      executionId,
      currentNodeExecutionIndex: 0,
      variables: {},
      restApiUrl: '',
      instanceBaseUrl: 'http://127.0.0.1/',
      webhookBaseUrl: 'http://127.0.0.1/webhook',
      webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
      formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
      credentialsHelper: {
        getDecrypted: async (_data: unknown, _id: unknown, type: string) => credentials()[type],
        getParentTypes: () => [],
        isCredentialUsableByNode: () => true,
      },
    }) as unknown as IWorkflowExecuteAdditionalData
  const workflowOf = (node: INode, items: readonly object[], staticData: IDataObject) =>
    new n8n.Workflow({
      id: 'workflow-1',
      name: 'Test',
      active: true,
      nodeTypes,
      staticData,
      settings: { timezone: 'Europe/Berlin', executionOrder: 'v1' },
      nodes: [
        {
          id: 'start',
          name: 'Start',
          type: 'test.start',
          typeVersion: 1,
          position: [0, 0],
          parameters: { items: JSON.stringify(items) },
        },
        node,
      ],
      connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
    })
  const nodeWith = (parameters: Record<string, unknown>, more: Partial<INode> = {}): INode => ({
    id: 'b8f5c1de-0a3b-4f0e-9a53-2f1f2c3d4e5f',
    name: 'Social Publishing Service',
    type: 'n8n-nodes-social-publishing.socialPublishing',
    typeVersion: 1,
    position: [200, 0],
    parameters: parameters as INode['parameters'],
    credentials: { socialPublishingApi: { id: '1', name: 'Test' } },
    ...more,
  })
  let executions = 0
  /** Runs a workflow of two nodes, and returns the items of the second, or its error. */
  const run = async ({
    parameters,
    items = [{ json: {} }],
    executionId,
    mode = 'trigger',
    continues = false,
    staticData = {},
  }: Run) => {
    executions += 1
    const node = nodeWith(parameters, continues ? { onError: 'continueRegularOutput' } : {})
    const workflow = workflowOf(node, items, staticData)
    const id = executionId ?? `execution-${executions}`
    const data = additionalData(id)
    const workflowData = { id: 'workflow-1', name: 'Test', active: true, nodes: [], connections: {} }
    data.hooks = new core.ExecutionLifecycleHooks(mode, id, workflowData as never)
    const result = await new core.WorkflowExecute(data, mode).run({
      workflow,
      startNode: workflow.getNode('Start') ?? undefined,
    })
    Object.assign(staticData, workflow.staticData)
    const [last] = result.data.resultData.runData[node.name] ?? []
    return { output: last?.data?.['main']?.[0] ?? [], error: result.data.resultData.error }
  }
  return {
    core,
    n8n,
    loader,
    nodeTypes,
    additionalData,
    workflowOf,
    nodeWith,
    run,
    close: () => rmSync(folder, { recursive: true }),
  }
}
