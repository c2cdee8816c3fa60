/** A user with boards; numbers are IDs in Pinterest's format. */
export interface PinterestPerson {
  readonly id: string
  readonly name: string
  readonly username: string
}

export interface PinterestBoard {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly privacy: 'PUBLIC' | 'PROTECTED' | 'SECRET'
  readonly is_ads_only: boolean
}

function board(number: number, owner: string, name: string, more: Partial<PinterestBoard> = {}): PinterestBoard {
  return { id: `54975588517${number}`, owner, name, privacy: 'PUBLIC', is_ads_only: false, ...more }
}

/** The app, the people and the boards of the Pinterest stand-in. */
export const pinterestSeed = {
  app: { clientId: '1500001', clientSecret: 'local-pinterest-client-secret' },
  people: [
    { id: '2783136121146311751', name: 'Bea Baker', username: 'bea_bakes' },
    { id: '2783136121146311752', name: 'Otto', username: 'otto_builds' },
  ] satisfies readonly [PinterestPerson, ...PinterestPerson[]],
  boards: [
    board(1, 'bea_bakes', 'Summer recipes'),
    board(2, 'bea_bakes', 'Für später'),
    board(3, 'bea_bakes', 'Gift ideas', { privacy: 'SECRET' }),
    board(4, 'bea_bakes', 'Ad-only Pins', { privacy: 'PROTECTED', is_ads_only: true }),
    board(5, 'otto_builds', 'Tree houses'),
  ],
  sections: [{ id: '5024185829300000001', board: '549755885171', name: 'Cakes' }],
} as const
