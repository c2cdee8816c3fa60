/** The account and Region of everything local; the engines build their ARNs from the same two. */
export const accountId = '000000000000'
export const region = 'us-east-1'
