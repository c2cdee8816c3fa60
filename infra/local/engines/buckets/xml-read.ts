import { S3Error } from './error.ts'

export interface XmlElement {
  name: string
  text: string
  children: XmlElement[]
}

const token = /<\?[^?]*\?>|<!--[\s\S]*?-->|<(\/?)([\w:.-]+)(?:\s[^<>]*?)?(\/?)>|([^<]+)/gy
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function malformed(): S3Error {
  return new S3Error('MalformedXML', 'The XML of this request is not well formed or has unknown parts.')
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (_, reference: string | undefined, name: string) => {
    const value = reference
      ? String.fromCodePoint(Number.parseInt(name, reference === '#x' ? 16 : 10) || 0xfffd)
      : entities[name]
    if (value === undefined) throw malformed()
    return value
  })
}

/** Reads the small documents that S3 accepts: elements and text; no document types, no CDATA. */
export function parseXml(source: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] }
  const open = [root]
  let position = 0
  for (const match of source.matchAll(token)) {
    if (match.index !== position) throw malformed()
    position += match[0].length
    const [, closes, name, empty, text] = match
    const parent = open.at(-1)
    if (!parent) throw malformed()
    if (text !== undefined) parent.text += unescapeXml(text)
    else if (name && closes) {
      if (parent.name !== name || open.length === 1) throw malformed()
      open.pop()
    } else if (name) {
      const element: XmlElement = { name, text: '', children: [] }
      parent.children.push(element)
      if (!empty) open.push(element)
    }
  }
  const [document] = root.children
  if (position !== source.length || open.length !== 1 || !document || root.children.length > 1) throw malformed()
  return document
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name)
}

export function textOf(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text
}
