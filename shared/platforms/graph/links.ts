const address = /https?:\/\/[^\s<>"']+/gi

const count = (text: string, character: string) => text.split(character).length - 1

/** A sentence's own marks do not belong to an address that ends it; a bracket does where the address has opened it. */
const bare = (link: string): string => {
  const trimmed = link.replace(/[.,;:!?]+$/, '')
  const closes = trimmed.endsWith(')') && count(trimmed, ')') > count(trimmed, '(')
  return closes ? bare(trimmed.slice(0, -1)) : trimmed
}

/** The different addresses in a text, in their order. */
export const linksIn = (text: string): string[] => [...new Set((text.match(address) ?? []).map(bare))]
