/** A text with a full stop at its end, so that another sentence can follow. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)
