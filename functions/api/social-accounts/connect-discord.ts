import * as z from 'zod/mini'
import { workspaceSession } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { authorizeUrl } from '../../../shared/platforms/discord/connect.ts'
import { openState } from '../../../shared/social-accounts/oauth-state.ts'
import { askPlatform } from '../../../shared/social-accounts/refuse-platform.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/discord',
    summary: 'Begin to connect a Discord server',
    description: 'Answers the address where the person adds the bot to a server; it works once, for ten minutes.',
    access: workspaceSession,
    status: 200,
    data: z.object({ authorizeUrl: z.string() }),
    refuses: ['unavailable'],
    needs: ['table:write', 'platform-secrets'],
  },
  async ({ ctx, workspace, principal }) => {
    const state = await openState(ctx, { userId: principal.userId, workspaceId: workspace.id, platform: 'discord' })
    return { authorizeUrl: await askPlatform(ctx, () => authorizeUrl(ctx, state)) }
  },
)
