/**
 * Escapes what begins a mention or a link in Slack's own format, so that a Markdown text mentions no one: Slack does not say
 * that it leaves them alone there. The rest belongs to Markdown: `>` begins a quote, and `&` is part of URLs (Slack,
 * Formatting message text, 2026-11-26).
 */
export const escapeMarkdown = (text: string): string => text.replaceAll('<', '&lt;')
