// The JavaScript examples start with this client, and find an account by its platform.
import { createClient } from 'social-publishing-client'

const { BASE, TOKEN, WORKSPACE } = process.env
export const client = createClient({ baseUrl: BASE, token: TOKEN, workspaceId: WORKSPACE })

const accounts = await client.socialAccounts.list()
export const accountOn = (platform) => accounts.find(({ providerId }) => providerId === platform).id
