import type * as cli from '../../../functions/api/cli/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

export const cliExamples: ExamplesOf<typeof cli> = {
  startDeviceLogin: { request: { clientName: 'bakery-cli' } },
  pollDeviceLogin: { request: { deviceCode: story.deviceCode } },
  createToken: {
    request: {
      name: 'Web shop',
      workspaceId: story.workspace,
      scopes: ['posts:read', 'posts:schedule'],
      expiresInDays: 90,
    },
  },
  listTokens: {},
  revokeToken: { params: { id: story.accessToken } },
}
