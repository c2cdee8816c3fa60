/** The operator's account at the stand-in for Stripe: keys, and a price for each plan (shared/plans/plans.ts). */
export const stripeSeed = {
  apiKey: 'sk_test_localStandInOfStripe',
  webhookSecret: 'whsec_localStandInOfStripe',
  prices: {
    price_localStarter: { amount: 1_900, name: 'Starter' },
    price_localTeam: { amount: 4_900, name: 'Team' },
    price_localBusiness: { amount: 14_900, name: 'Business' },
  } as Readonly<Record<string, { amount: number; name: string }>>,
} as const

/** The prices of each plan at the stand-in. */
export const localPrices = {
  starter: ['price_localStarter'],
  team: ['price_localTeam'],
  business: ['price_localBusiness'],
}
