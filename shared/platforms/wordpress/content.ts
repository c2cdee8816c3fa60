import { address, trimLink } from '../links.ts'

/** A file in the library of a site. */
export interface LibraryFile {
  id: number
  url: string
  altText: string
  isVideo: boolean
}

/** A bracket would start a shortcode, which WordPress runs. */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('[', '&#91;')

const inline = (line: string): string => {
  let [html, at] = ['', 0]
  for (const { 0: match, index } of line.matchAll(address)) {
    const link = trimLink(match)
    html += `${escaped(line.slice(at, index))}<a href="${escaped(link)}">${escaped(link)}</a>`
    at = index + link.length
  }
  return html + escaped(line.slice(at))
}

const block = (name: string, attributes: string, html: string) =>
  `<!-- wp:${name}${attributes} -->\n${html}\n<!-- /wp:${name} -->`

const paragraph = (text: string): string =>
  block('paragraph', '', `<p>${text.split('\n').map(inline).join('<br>')}</p>`)

const figure = ({ id, url, altText, isVideo }: LibraryFile): string => {
  const src = escaped(url)
  const attributes = ` ${JSON.stringify({ id })}`
  if (isVideo) {
    return block('video', attributes, `<figure class="wp-block-video"><video controls src="${src}"></video></figure>`)
  }
  const image = `<img src="${src}" alt="${escaped(altText)}" class="wp-image-${id}"/>`
  return block('image', attributes, `<figure class="wp-block-image">${image}</figure>`)
}

/** A text and files as blocks of the editor: a paragraph for each one of the text, then a figure for each file. */
export const contentOf = (text: string, files: readonly LibraryFile[]): string => {
  const paragraphs = text.replace(/\r\n?/g, '\n').split(/\n\s*\n/)
  return [
    ...paragraphs
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map(paragraph),
    ...files.map(figure),
  ].join('\n\n')
}
