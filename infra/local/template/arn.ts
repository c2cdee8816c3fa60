/** The name of a function in its ARN, or in that of its alias. */
export const functionNameIn = (arn: string): string => /:function:([\w-]+)/.exec(arn)?.[1] ?? arn

/** The name at the end of an ARN or a URL, or a plain name. */
export const lastPart = (text: string): string => text.split(/[:/]/).at(-1) ?? ''
