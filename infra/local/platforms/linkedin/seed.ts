import type { Login } from '../oauth/login.ts'

export interface LinkedInPage {
  readonly id: string
  readonly name: string
  readonly vanityName: string
  readonly role: 'ADMINISTRATOR' | 'CONTENT_ADMINISTRATOR'
}

/** A member with the pages they look after. */
export interface LinkedInMember extends Login {
  readonly pages: readonly LinkedInPage[]
}

/** The people and the app of the LinkedIn stand-in. */
export const linkedinSeed = {
  app: { clientId: 'local-linkedin-client', clientSecret: 'local-linkedin-client-secret' },
  ada: {
    id: '782bbtaQ',
    name: 'Ada Demo',
    pages: [
      { id: '5515715', name: 'Demo Company', vanityName: 'demo-company', role: 'ADMINISTRATOR' },
      { id: '5515716', name: 'Demo Events', vanityName: 'demo-events', role: 'CONTENT_ADMINISTRATOR' },
    ],
  },
  bob: { id: '900ccuQ', name: 'Bob Demo', pages: [] },
} as const satisfies Record<string, LinkedInMember | { clientId: string; clientSecret: string }>
