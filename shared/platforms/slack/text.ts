/** Escapes Slack's control characters, so that a text mentions no one (Slack, Formatting text, Escaping). */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text as typed, from the text that Slack shows: Slack puts links that it detects in angle brackets. */
export const plainText = (shown: string): string =>
  shown
    .replace(/<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
