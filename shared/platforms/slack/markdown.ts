/**
 * Escapes everything that starts a mention or a link in Slack's format, so that a Markdown text mentions no one: Slack does
 * not document that it ignores them there. The rest belongs to Markdown: `>` starts a quote, and `&` is part of URLs (Slack,
 * Formatting message text, 2026-11-26).
 */
export const escapeMarkdown = (text: string): string => text.replaceAll('<', '&lt;')
