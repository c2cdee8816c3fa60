import * as z from 'zod/mini'
import { anyone } from '../../../shared/http/contract.ts'
import { endpoint, Raw } from '../../../shared/http/endpoint.ts'
import { connectPage, pageHeaders } from '../../../shared/social-accounts/connect-page.ts'
import { finishDiscord } from '../../../shared/social-accounts/finish-discord.ts'

const text = z.optional(z.string().check(z.maxLength(2000)))

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/connect/discord/callback',
    summary: 'Where Discord sends a person back after adding the bot',
    description: 'Answers a page for people, not the envelope.',
    access: anyone,
    // Discord may send more than we read.
    query: z.looseObject({ state: text, code: text, error: text }),
    status: 200,
    refuses: [],
    needs: ['table:read', 'table:write', 'open', 'platform-secrets'],
  },
  async ({ ctx, query }) =>
    new Raw(connectPage(await finishDiscord(ctx, query)), 'text/html; charset=utf-8', pageHeaders),
)
