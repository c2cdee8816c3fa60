/** The minimum length of a password (NIST SP 800-63B, 3.1.1.2). */
export const shortestPassword = 8

/** A password as it is compared with common ones: letter case and Unicode composition make it no harder to guess. */
export const plainPassword = (password: string): string => password.normalize('NFKC').toLowerCase()
