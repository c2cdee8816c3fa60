/** The account and region that everything local pretends to be in; the engines make their ARNs of the same two. */
export const accountId = '000000000000'
export const region = 'us-east-1'
