/** The name at the end of an ARN, a URL, or a name by itself. */
export const lastPart = (text: string): string => text.split(/[:/]/).at(-1) ?? ''
