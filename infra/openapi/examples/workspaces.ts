import type * as workspaces from '../../../functions/api/workspaces/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { workspace: id, export: exportId } = story

export const workspaceExamples: ExamplesOf<typeof workspaces> = {
  create: { request: { name: 'Corner Bakery', timezone: 'Europe/Berlin' } },
  list: {},
  get: { params: { id } },
  update: { params: { id }, request: { timezone: 'Europe/Berlin' } },
  delete: { params: { id }, query: { confirm: story.slug } },
  listQuotas: { params: { id } },
  getVoice: { params: { id } },
  updateVoice: {
    params: { id },
    request: {
      description: 'A family bakery with a wood-fired oven',
      tone: 'warm',
      style: 'short sentences, no exclamation marks',
      personality: 'the baker who tells what happens at night',
    },
  },
  listAudit: { params: { id }, query: { limit: 2 } },
  listConnections: { params: { id }, query: { limit: 2 } },
  revokeConnection: { params: { id, connectionId: story.connection } },
  export: { params: { id } },
  listExports: { params: { id } },
  getExport: { params: { id, exportId } },
  createExportLink: { params: { id, exportId } },
  downloadExport: { params: { exportId }, query: { token: story.exportToken } },
}
