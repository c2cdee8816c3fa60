import * as z from 'zod/mini'
import { Stop } from '../start/stop.ts'
import { call, Refused, read } from './caller.ts'

interface Login {
  email: string
  password: string
}

const Mails = z.array(z.object({ to: z.array(z.string()), text: z.string() }))

/** Opens the link of the newest mail to this address, as its reader would. */
const openMailedLink = async (inboxUrl: string, email: string): Promise<void> => {
  const mail = (await read(`${inboxUrl}/mail.json`, Mails)).findLast(({ to }) => to.includes(email))
  const link = /https?:\/\/\S+verify-email\S+/.exec(mail?.text ?? '')?.[0]
  if (link === undefined) throw new Stop(`${email} has an account, but its password is lost: begin anew with --reset.`)
  const response = await fetch(link)
  if (!response.ok) throw new Stop(`The link in the mail to ${email} answered ${response.status}.`)
}

const signIn = async (baseUrl: string, login: Login): Promise<string> =>
  (await call({ baseUrl }, 'POST /api/auth/sign-in/email', z.object({ token: z.string() }), login)).token

/** Signs the demo user in, after signing it up where it is unknown or never verified its address. */
export const signInDemoUser = async (baseUrl: string, inboxUrl: string, login: Login): Promise<string> => {
  try {
    return await signIn(baseUrl, login)
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403].includes(error.status)) throw error
  }
  await call({ baseUrl }, 'POST /api/auth/sign-up/email', z.unknown(), { ...login, name: 'Demo' })
  await openMailedLink(inboxUrl, login.email)
  return signIn(baseUrl, login)
}
