/** Escapes Slack's control characters, so that a text mentions nobody (Slack, Formatting text, Escaping). */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What was typed, from what Slack shows: links it found itself stand in angle brackets. */
export const plainText = (shown: string): string =>
  shown
    .replace(/<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
