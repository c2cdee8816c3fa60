/** An email address that its owner recognizes, and that no one can write to. */
export const maskedEmail = (email: string): string =>
  email.replace(/(?<=^.)[^@]*(?=@)/u, '…').replace(/(?<=@.).*(?=\.[^.]+$)/u, '…')
