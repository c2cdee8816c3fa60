import * as z from 'zod/mini'
import { type Client, client } from '../../../functions/client.ts'
import { read } from '../../../infra/local/demo/caller.ts'
import type { Demo } from '../../../infra/local/demo/seed.ts'
import type { Service } from '../../../infra/local/service.ts'

const Mails = z.array(z.object({ to: z.array(z.string()), text: z.string() }))

const tokenInEmail = async (inboxUrl: string, email: string): Promise<string> => {
  const mail = (await read(`${inboxUrl}/mail.json`, Mails)).findLast(({ to }) => to.includes(email))
  const [, token] = /\?token=(\w+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error(`no mail with a token came to ${email}`)
  return token
}

/** Makes one more admin of the demonstration's workspace; returns the token of their session. */
export const makeMember = async ({ baseUrl, inboxUrl }: Service, demo: Demo, n: number): Promise<string> => {
  const { workspaceId } = demo
  const person = { email: `member-${n}@example.com`, password: `a long password of member ${n}` }
  const anybody = client({ baseUrl })
  await anybody.auth.signUp({ body: { ...person, name: `Member ${n}` } })
  await anybody.auth.verifyEmail({ query: { token: await tokenInEmail(inboxUrl, person.email) } })
  const { token } = await anybody.auth.signIn({ body: person })
  const owner: Client = client({ baseUrl, token: demo.sessionToken, workspaceId })
  await owner.team.invite({ params: { id: workspaceId }, body: { email: person.email, role: 'admin' } })
  const invitation = await tokenInEmail(inboxUrl, person.email)
  await client({ baseUrl, token }).team.acceptInvitation({ body: { token: invitation } })
  return token
}
