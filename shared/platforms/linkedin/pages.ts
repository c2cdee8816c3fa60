import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Connection } from '../connection.ts'
import { PlatformError } from '../platform-error.ts'
import { askLinkedIn } from './api.ts'

/** A page as its author in posts, and as people know it. */
export interface Page extends Pick<Connection, 'username' | 'displayName' | 'profileImageUrl'> {
  urn: string
}

/** Whether a login lets the service post for pages (LinkedIn, Posts API, Permissions). */
export const maySpeakForPages = (granted: string | undefined): boolean =>
  granted?.split(/[\s,]+/).includes('w_organization_social') === true

const roles = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR']
const Acls = z.object({ elements: z.array(z.object({ organization: z.string() })) })
const Organization = z.object({ localizedName: z.string(), vanityName: z.optional(z.string()) })

const pagesOfRole = async (ctx: Context, token: string, role: string) => {
  const query = { q: 'roleAssignee', role, state: 'APPROVED', count: '100' }
  const { elements } = await askLinkedIn(ctx, { token, path: '/rest/organizationAcls', query, reply: Acls })
  return elements.map(({ organization }) => organization)
}

const readPage = async (ctx: Context, token: string, urn: string): Promise<Page> => {
  const id = urn.replace(/^urn:li:organization:/, '')
  const path = '/rest/organizations/{id}'
  const { localizedName, vanityName } = await askLinkedIn(ctx, { token, path, params: { id }, reply: Organization })
  return { urn, username: vanityName ?? null, displayName: localizedName, profileImageUrl: null }
}

/** The pages a person looks after; none where LinkedIn does not let the app see them. */
export const fetchPages = async (ctx: Context, token: string): Promise<Page[]> => {
  try {
    const urns = new Set((await Promise.all(roles.map((role) => pagesOfRole(ctx, token, role)))).flat())
    return await Promise.all([...urns].map((urn) => readPage(ctx, token, urn)))
  } catch (error) {
    if (error instanceof PlatformError && error.facts.httpStatus === 403) return []
    throw error
  }
}
