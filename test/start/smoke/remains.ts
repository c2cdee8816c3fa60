import { client } from '../../../functions/client.ts'

/** The ids of everything in a workspace that a smoke test could have left. */
export const remainsIn = async (workspace: { baseUrl: string; sessionToken: string; workspaceId: string }) => {
  const { sessionToken: token, ...there } = workspace
  const api = client({ ...there, token })
  const posts = await api.posts.list()
  const drafts = await api.drafts.list()
  const files = await api.media.list()
  const collections = await api.memory.listCollections()
  const endpoints = (await api.webhooks.list()).filter(({ name }) => name.startsWith('smoke'))
  return [...posts.items, ...drafts.items, ...files.items, ...collections.items, ...endpoints].map(({ id }) => id)
}
