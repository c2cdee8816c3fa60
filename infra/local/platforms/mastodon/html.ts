const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A link as Mastodon shows it: its scheme and its end are present, but hidden. */
const linked = (address: string) => {
  const [, scheme = '', rest = ''] = /^(https?:\/\/)(.*)$/s.exec(address) ?? []
  const [shown, hidden] = [rest.slice(0, 30), rest.slice(30)]
  return `<a href="${address}" rel="nofollow noopener" target="_blank"><span class="invisible">${scheme}</span><span class="ellipsis">${shown}</span><span class="invisible">${hidden}</span></a>`
}

const mentioned = (name: string) =>
  `<span class="h-card" translate="no"><a href="https://elsewhere.test/@${name}" class="u-url mention">@<span>${name}</span></a></span>`

const tagged = (tag: string) =>
  `<a href="https://mastodon.test/tags/${tag}" class="mention hashtag" rel="tag">#<span>${tag}</span></a>`

/** The HTML of a text: paragraphs, line breaks, links, names without their server, and hashtags. */
export function htmlOf(text: string): string {
  const inline = (line: string) =>
    escaped(line)
      .replace(/https?:\/\/[^\s<>]+/g, linked)
      .replace(/(^|\s)@(\w+)(?:@[\w.-]+\w)?/g, (_, before, name) => `${before}${mentioned(name)}`)
      .replace(/(^|\s)#(\w+)/g, (_, before, tag) => `${before}${tagged(tag)}`)
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(inline).join('<br />')}</p>`)
    .join('')
}
