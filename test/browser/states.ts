import type { Page } from 'playwright-core'
import { client } from '../../functions/client.ts'
import { connected, registered, requestOf } from '../oauth/assistant.ts'
import { browserOf, hiddenIn } from '../pages/test-browser.ts'
import { inventAccounts } from '../support/every-account.ts'
import type { Kit } from '../support/start.ts'
import {
  inviteGuest,
  makeDevice,
  makeMember,
  makeSession,
  makeTwoFactor,
  offerServers,
  password,
  requestReset,
  signUp,
} from '../support/world/preparations.ts'
import { makeSubscriber } from '../support/world/subscribers.ts'

/** A page in one of its states: where it is, who opens it, and what they do there first. */
export interface State {
  path: string
  heading: string
  session?: string
  act?(page: Page): Promise<void>
}

type States = Readonly<Record<string, State>>

/** Words that do not fit into a line of a phone. */
const long = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenverein'

const signedOut = async (kit: Kit): Promise<States> => {
  const { email } = await makeTwoFactor(kit)
  const signIn = async (page: Page, name: string, password: string) => {
    await page.getByLabel('Email address').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  return {
    landing: { path: '/', heading: 'Schedule and publish posts to fifteen platforms' },
    'sign-in': { path: '/login?notice=signed-out', heading: 'Sign in' },
    'sign-in-refused': {
      path: '/login',
      heading: 'Sign in',
      async act(page) {
        await signIn(page, email, 'not the password')
        await page.getByRole('alert').waitFor()
      },
    },
    'second-factor': {
      path: '/login',
      heading: 'Enter your code',
      act: (page) => signIn(page, email, password),
    },
    'sign-up': { path: '/sign-up', heading: 'Create an account' },
    'sign-up-sent': { path: '/sign-up?sent=1', heading: 'Check your email' },
    'forgot-password': { path: '/forgot-password', heading: 'Forgot your password?' },
    'reset-password': { path: `/reset-password?token=${await requestReset(kit)}`, heading: 'Choose a new password' },
    'reset-password-expired': { path: '/reset-password?token=nothing', heading: 'This link does not work' },
    'reset-password-incomplete': { path: '/reset-password', heading: 'This link does not work' },
    'verify-email-incomplete': { path: '/verify-email', heading: 'This link does not work' },
    'unknown-path': { path: '/no/such/page', heading: 'Page not found' },
    'verify-email': { path: `/verify-email?token=${(await signUp(kit)).token}`, heading: 'Verify your email address' },
  }
}

const atHome = async (kit: Kit): Promise<States> => {
  const session = kit.sessionToken
  const newcomer = (await makeMember(kit)).session
  const api = client({ baseUrl: kit.url, token: session })
  const { id } = await api.workspaces.create({ body: { name: `${long} in Linz`, timezone: 'Europe/Vienna' } })
  await inventAccounts(kit)
  return {
    workspaces: { path: '/workspaces', heading: 'Your workspaces', session },
    'workspace-empty': { path: `/workspace?id=${id}`, heading: `${long} in Linz`, session },
    'workspace-accounts': { path: `/workspace?id=${kit.workspaceId}`, heading: 'Acme', session },
    'workspace-member': { path: `/workspace?id=${kit.workspaceId}`, heading: 'Acme', session: newcomer },
    'workspace-unknown': { path: '/workspace?id=ws_nothing', heading: 'No such workspace', session },
    'new-token': {
      path: `/workspace?id=${kit.workspaceId}`,
      heading: 'Your token',
      session,
      async act(page) {
        await page.getByLabel('Name of the token').fill('Program')
        await page.getByRole('button', { name: 'Create the token' }).click()
      },
    },
  }
}

const invited = async (kit: Kit): Promise<States> => {
  const { guest, token } = await inviteGuest(kit)
  const accepted = await inviteGuest(kit)
  const path = `/invite?token=${accepted.token}`
  const someone = browserOf(kit, accepted.guest.session)
  await someone.submit(await someone.open(path), 'invite')
  return {
    invite: { path: `/invite?token=${token}`, heading: 'You are invited' },
    'invite-unknown': { path: '/invite?token=nothing', heading: 'Something went wrong' },
    'invite-guest': { path: `/invite?token=${token}`, heading: 'You are invited', session: guest.session },
    'invite-another': { path: `/invite?token=${token}`, heading: 'You are invited', session: kit.sessionToken },
    'invite-accepted': { path, heading: 'Welcome to Acme', session: accepted.guest.session },
  }
}

const withDevice = async (kit: Kit): Promise<States> => {
  const session = await makeSession(kit)
  const { open, send } = browserOf(kit, session)
  const key = hiddenIn(await open('/device'), 'device')
  const start = async (answer?: 'approved' | 'denied') => {
    const { cli } = client({ baseUrl: kit.url })
    const { userCode } = await cli.startDeviceLogin({ body: { clientName: `${long} 0.1.0` } })
    const fields = { ...key, user_code: userCode }
    await send('/device', fields)
    if (answer) await send('/device-answer', { ...fields, answer })
    return `/device?user_code=${userCode}`
  }
  return {
    device: { path: '/device', heading: 'Sign in a device', session },
    'device-question': { path: await start(), heading: 'Did you start this?', session },
    'device-approved': { path: await start('approved'), heading: 'Your device is signed in', session },
    'device-denied': { path: await start('denied'), heading: 'Refused', session },
  }
}

const connecting = async (kit: Kit): Promise<States> => {
  const session = kit.sessionToken
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.connect({ params: { platform: 'x' } })
  const platforms = await kit.sessionApi.socialAccounts.createLink({})
  await kit.sessionApi.socialAccounts.update({ params: { id: kit.accounts.bluesky }, body: { externalId: long } })
  const connections = await kit.sessionApi.socialAccounts.createConnectionsLink({ body: { externalId: long } })
  const bluesky = await kit.sessionApi.socialAccounts.createBlueskyLink({ body: {} })
  const used = await offerServers(kit)
  await browserOf(kit).send('/connect-accounts', { ticket: used, account_0: 'yes', account_1: 'yes' })
  return {
    'connect-question': { path: authorizeUrl, heading: 'Connect X to Acme?', session },
    'connect-platforms': { path: platforms.authorizeUrl, heading: 'Connect an account to Acme?' },
    connections: { path: connections.url, heading: 'Your accounts at Acme' },
    'connect-bluesky': { path: bluesky.authorizeUrl, heading: 'Connect Bluesky to Acme?' },
    'connect-another-person': {
      path: authorizeUrl,
      heading: 'Connect X to Acme?',
      session: (await makeMember(kit)).session,
    },
    'connect-choice': { path: `/connect-accounts?ticket=${await offerServers(kit)}`, heading: 'Select accounts' },
    connected: { path: `/connect-accounts?ticket=${used}`, heading: 'Connected' },
    'connect-refused': { path: '/api/social-accounts/connect/x/callback?state=a&state=b', heading: 'Not connected' },
    'connect-expired': { path: '/connect-accounts?ticket=nothing', heading: 'Not connected' },
  }
}

const notified = async (kit: Kit): Promise<States> => {
  const { vapidPublicKey } = await kit.sessionApi.notifications.status()
  await makeDevice(kit)
  const subscription = kit.push.subscribe(vapidPublicKey ?? '')
  await kit.sessionApi.notifications.registerDevice({ body: { ...subscription, name: `${long} on Linux` } })
  const path = '/notifications'
  return {
    notifications: { path, heading: 'Notifications', session: kit.sessionToken },
    'notifications-first': { path, heading: 'Notifications', session: (await makeMember(kit)).session },
  }
}

const paying = async (kit: Kit): Promise<States> => {
  const session = kit.sessionToken
  const subscriber = await makeSubscriber(kit)
  const cancelled = await makeSubscriber(kit)
  const changed = await makeSubscriber(kit)
  const api = ({ workspaceId }: typeof subscriber) => client({ baseUrl: kit.url, token: session, workspaceId })
  await api(cancelled).billing.cancel()
  await api(changed).billing.change({ body: { planId: 'team' } })
  const of = (slug: string) => `/billing?workspace=${slug}`
  return {
    'billing-nobody': { path: of('acme'), heading: 'A plan for your workspace' },
    'billing-stranger': { path: of('nothing'), heading: 'A plan for your workspace', session },
    'billing-member': { path: of('acme'), heading: 'Acme', session: (await makeMember(kit)).session },
    'billing-without-plan': { path: of('acme'), heading: 'Acme', session },
    'billing-subscribed': { path: of(subscriber.slug), heading: 'Paying', session },
    'billing-cancelled': { path: `${of(cancelled.slug)}&done=cancelled`, heading: 'Paying', session },
    'billing-changed': { path: `${of(changed.slug)}&done=changed`, heading: 'Paying', session },
  }
}

const assisted = async (kit: Kit): Promise<States> => {
  const { path } = await requestOf(kit, await registered(kit))
  const session = kit.sessionToken
  const limits = { posts_per_day: '5', quiet_from: '22:00', quiet_to: '07:00', drafts_only: 'on' }
  await connected(kit, limits)
  const api = client({ baseUrl: kit.url, token: session })
  const { id } = await api.workspaces.create({ body: { name: `${long} alone`, timezone: 'Europe/Vienna' } })
  const inOff = client({ baseUrl: kit.url, token: session, workspaceId: id })
  await inOff.workspaces.update({ params: { id }, body: { assistantsEnabled: false } })
  const home = `/workspace?id=${kit.workspaceId}`
  return {
    'workspace-assistants': { path: home, heading: 'Acme', session },
    'workspace-assistants-off': { path: `/workspace?id=${id}`, heading: `${long} alone`, session },
    'workspace-assistant-disconnected': { path: `${home}&done=disconnect`, heading: 'Acme', session },
    consent: { path, heading: 'Connect an assistant?', session },
    'consent-refused': { path: path.replace('S256', 'plain'), heading: 'Couldn’t connect the assistant', session },
  }
}

const documentation: States = {
  'guide-receivers': { path: '/api/docs/guides/webhook-receivers', heading: 'Webhook receivers' },
  'guide-billing': { path: '/api/docs/guides/billing', heading: 'Billing' },
  'guide-unknown': { path: '/api/docs/guides/nothing', heading: 'Page not found' },
  'download-unknown': { path: '/api/exports/exp_nothing/download?token=nothing', heading: 'No download' },
  'error-x_cap_exceeded': { path: '/api/docs/errors/x_cap_exceeded', heading: 'x_cap_exceeded' },
  'error-invalid_input': { path: '/api/docs/errors/invalid_input', heading: 'invalid_input' },
}

/** Every page of a service that sells plans, in the states in which people meet it. */
export const statesOf = async (kit: Kit): Promise<States> => ({
  ...(await signedOut(kit)),
  ...(await atHome(kit)),
  ...(await invited(kit)),
  ...(await withDevice(kit)),
  ...(await connecting(kit)),
  ...(await notified(kit)),
  ...(await paying(kit)),
  ...(await assisted(kit)),
  ...documentation,
})
