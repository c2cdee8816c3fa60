/** The fewest characters a password has (NIST SP 800-63B, 3.1.1.2). */
export const shortestPassword = 8

/** A password as it is compared with common ones: letter case and composition make it no harder to guess. */
export const plainPassword = (password: string): string => password.normalize('NFKC').toLowerCase()
