import { trimLink } from '../trim-link.ts'

const address = /https?:\/\/[^\s<>"']+/gi

/** The different addresses in a text, in their order. */
export const linksIn = (text: string): string[] => [...new Set((text.match(address) ?? []).map(trimLink))]
