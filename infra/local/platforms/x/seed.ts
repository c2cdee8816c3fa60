/** Someone who can log in. */
export interface XPerson {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly subscription: 'None' | 'Basic' | 'Premium' | 'PremiumPlus'
}

const people: readonly [XPerson, ...XPerson[]] = [
  { id: '2244994945', name: 'Demo', username: 'demo', subscription: 'None' },
  { id: '2244994946', name: 'Premium Demo', username: 'premium_demo', subscription: 'Premium' },
]

/** The application and the people of the X stand-in; only one of them pays. */
export const xSeed = { app: { clientId: 'local-x-client', clientSecret: 'local-x-client-secret' }, people }
