import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import type { PlatformError } from '../platform-error.ts'
import { accountError, callGraph, isNotVisible } from './call.ts'
import type { GraphSite } from './site.ts'

/**
 * The call that deletes a post. A post that Meta does not show is deleted only if the token still sees the account (Graph
 * API, Page Post, v25.0; Threads API, Delete Posts, 2026-11-27).
 */
export const removalAt =
  (site: GraphSite, isGone: (error: unknown) => error is PlatformError = isNotVisible) =>
  async ({ ctx, account }: PlatformCall, post: string): Promise<void> => {
    const token = tokenOf(account)
    const request = { token, path: '/{post}', params: { post }, method: 'DELETE', reply: z.unknown() } as const
    await callGraph(ctx, site, request).catch(async (error: unknown) => {
      const why = isGone(error) ? await accountError(ctx, site, { token, id: account.externalId, error }) : error
      if (why !== undefined) throw why
    })
  }
