import type * as application from '../../../functions/api/application/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

export const applicationExamples: ExamplesOf<typeof application> = {
  register: { request: { name: 'Bakery Planner', logo: 'https://app.bakery.example/logo.png', brandColor: '#00695c' } },
  get: {},
  update: { request: { name: 'Bakery Planner' } },
  remove: {},
  createToken: { request: { name: 'Backend', expiresInDays: 90 } },
  listTokens: {},
  revokeToken: { params: { id: story.applicationToken } },
  createWorkspace: {
    request: {
      name: 'Mill Street Bakery',
      timezone: 'Europe/Berlin',
      externalId: 'customer-17',
      quotas: { drafts: 500 },
    },
  },
  listWorkspaces: { query: { limit: 2 } },
  updateWorkspace: { params: { id: story.childWorkspace }, request: { xMonthlyCap: 40, callsPerMinute: 60 } },
}
