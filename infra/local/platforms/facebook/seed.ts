export interface FacebookPage {
  readonly id: string
  readonly name: string
  readonly username?: string
  readonly category?: string
  readonly tasks: readonly string[]
  /** Visible only through a business. */
  readonly business?: string
}

export interface FacebookPerson {
  readonly id: string
  readonly name: string
  readonly pages: readonly string[]
}

const all = ['MANAGE', 'CREATE_CONTENT', 'MODERATE', 'MESSAGING', 'ADVERTISE', 'ANALYZE']

const people: readonly [FacebookPerson, FacebookPerson, FacebookPerson] = [
  { id: '10200000000000001', name: 'Demo', pages: ['100000000000001', '100000000000002', '100000000000003'] },
  { id: '10200000000000002', name: 'Second Demo', pages: ['100000000000002', '100000000000004'] },
  { id: '10200000000000003', name: 'Somebody without a page', pages: [] },
]

const pages: readonly [FacebookPage, FacebookPage, FacebookPage, FacebookPage] = [
  { id: '100000000000001', name: 'Demo Bakery', username: 'demo.bakery', category: 'Bakery', tasks: all },
  { id: '100000000000002', name: 'Demo Café', tasks: ['CREATE_CONTENT', 'ANALYZE'] },
  { id: '100000000000003', name: 'Only Looked At', tasks: ['ANALYZE'] },
  { id: '100000000000004', name: 'Through a Business', tasks: ['MANAGE'], business: '300000000000001' },
]

/** The public fields of a page. */
export const describePage = ({ id, name, username, category = 'Local business' }: FacebookPage) => ({
  id,
  name,
  username,
  category,
  link: `https://www.facebook.com/${username ?? id}`,
})

/** The app, the people, and the pages that they manage on the Facebook stand-in. */
export const facebookSeed = {
  clientId: '880000000000003',
  clientSecret: 'local-facebook-client-secret',
  people,
  pages,
}
