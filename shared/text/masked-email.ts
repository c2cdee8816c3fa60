/** An email address that its owner recognizes, and nobody can write to. */
export const maskedEmail = (email: string): string =>
  email.replace(/(?<=^.)[^@]*(?=@)/u, '…').replace(/(?<=@.).*(?=\.[^.]+$)/u, '…')
