import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { callGraph } from '../graph/call.ts'
import { PlatformError } from '../platform-error.ts'
import { site } from './site.ts'

const Page = z.object({
  id: z.string(),
  name: z.string(),
  username: z.optional(z.string()),
  /** Absent if the person may not act for the page. */
  access_token: z.optional(z.string()),
  tasks: z.optional(z.array(z.string())),
  picture: z.optional(z.object({ data: z.object({ url: z.optional(z.string()) }) })),
})
type Page = z.infer<typeof Page>

export type UsablePage = Page & { access_token: string }

const listOf = <T>(item: z.ZodMiniType<T>) =>
  z.object({
    data: z.array(item),
    paging: z.optional(
      z.object({ cursors: z.optional(z.object({ after: z.optional(z.string()) })), next: z.optional(z.string()) }),
    ),
  })

const pageFields = 'id,name,username,access_token,tasks,picture.type(large)'
/** Enough for a person to select from. */
const maxLists = 10

interface ListRequest<T> {
  path: string
  params?: Readonly<Record<string, string>>
  fields: string
  item: z.ZodMiniType<T>
}

/** A complete list, page by page. */
const readList = async <T>(
  ctx: Context,
  token: string,
  { path, params, fields, item }: ListRequest<T>,
): Promise<T[]> => {
  const all: T[] = []
  let after: string | undefined
  for (let turn = 0; turn < maxLists; turn += 1) {
    const query = { fields, limit: '100', ...(after === undefined ? {} : { after }) }
    const request = { token, path, ...(params ? { params } : {}), query, reply: listOf(item) }
    const { data, paging } = await callGraph(ctx, site, request)
    all.push(...data)
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined) break
  }
  return all
}

/** Pages that a business owns or manages; none for a person who did not grant access to their businesses. */
const businessPages = async (ctx: Context, token: string): Promise<Page[]> => {
  const ids = z.object({ id: z.string() })
  try {
    const businesses = await readList(ctx, token, { path: '/me/businesses', fields: 'id', item: ids })
    const lists = businesses.flatMap(({ id }) =>
      ['owned_pages', 'client_pages'].map((name) => {
        const path = `/{business}/${name}`
        return readList(ctx, token, { path, params: { business: id }, fields: pageFields, item: Page })
      }),
    )
    return (await Promise.all(lists)).flat()
  } catch (error) {
    if (error instanceof PlatformError && error.errorClass === 'permission') return []
    throw error
  }
}

const mayPost = ({ access_token: token, tasks = [] }: Page) =>
  token !== undefined && tasks.some((task) => task === 'CREATE_CONTENT' || task === 'MANAGE')

/** Every page that the person of a token may post to, each once. */
export const fetchPages = async (ctx: Context, token: string, businesses: boolean): Promise<UsablePage[]> => {
  const own = await readList(ctx, token, { path: '/me/accounts', fields: pageFields, item: Page })
  const all = businesses ? [...own, ...(await businessPages(ctx, token))] : own
  const byId = new Map(all.filter(mayPost).map((page) => [page.id, page]))
  return [...byId.values()].flatMap((page) =>
    page.access_token === undefined ? [] : [{ ...page, access_token: page.access_token }],
  )
}
