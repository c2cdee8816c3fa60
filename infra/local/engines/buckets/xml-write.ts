const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Control characters are written as references, since a key may contain them and the document must stay parseable. */
function escapeXml(text: string): string {
  return text.replace(/[<>&"\p{Cc}]/gu, (character) => `&#x${character.charCodeAt(0).toString(16)};`)
}

/** One element with text inside; nothing if there is no value. */
export function leaf(name: string, value: string | number | boolean | undefined): string {
  return value === undefined ? '' : `<${name}>${escapeXml(String(value))}</${name}>`
}

/** One element around parts that are XML already. */
export function group(name: string, ...parts: string[]): string {
  return `<${name}>${parts.join('')}</${name}>`
}

/** A complete document in the namespace of S3. */
export function xmlDocument(name: string, ...parts: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${namespace}">${parts.join('')}</${name}>`
}
