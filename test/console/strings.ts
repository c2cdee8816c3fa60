import { readFileSync } from 'node:fs'
import { parseAst } from 'vitest/node'

/** A part of the syntax tree (ESTree). */
interface SyntaxNode {
  type: string
  start: number
  [property: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** The nodes in one property of a node. */
const partOf = (node: SyntaxNode, property: string): SyntaxNode[] => [node[property]].flat().filter(isNode)

const partsOf = (node: SyntaxNode): SyntaxNode[] => Object.keys(node).flatMap((property) => partOf(node, property))

const nameOf = (node: SyntaxNode | undefined): string => String(node?.['name'] ?? node?.['value'] ?? '')

/** Types, imports, and errors of the program have no text for people; what is compared has been shown elsewhere. */
const isSkipped = ({ type, operator }: SyntaxNode): boolean =>
  /^(?:Import|ThrowStatement|MemberExpression|TSType|TSInterface|TSLiteral|TSUnion)/.test(type) ||
  (type === 'BinaryExpression' && operator !== '+')

/** Attributes and properties for programs. */
const forPrograms =
  /^(?:accept|aria-(?:current|hidden|live)|autocomplete|class|d|for|href|id|key|method|path|rel|role|src|style|target|timeZone|type|viewBox)$/

/** Attributes and properties that are read even if they are one lowercase word. */
const forPeople = /^(?:alt|all|aria-label|button|done|empty|hint|label|placeholder)$/

/** Whether a literal begins like a label or has several words, and is no address, scope, selector, or media query. */
const isText = (text: string): boolean =>
  /\p{L}{2}/u.test(text) &&
  /^\W*\p{Lu}\p{Ll}|^[A-Z]{2,3}$|\p{L}[\p{L}’”,.:]* +\S/u.test(text) &&
  !/^[\w.]+\/\w*$|\w:\w|[[\]]|^\(min-|^\(prefers-|^[A-Z][a-z]+[A-Z]\w+$/.test(text)

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/…(?: ?…)+/g, '…')
    .trim()

const literalOf = ({ type, value }: SyntaxNode): string | undefined =>
  type === 'Literal' && typeof value === 'string' ? value : undefined

/** What stands between the tags of an element. A line break with its indent is a space, or nothing at an end. */
const contentOf = (node: SyntaxNode): string => {
  if (node.type === 'JSXText') {
    return String(node['value'])
      .replace(/^\s*\n\s*|\s*\n\s*$/g, '')
      .replace(/\s+/g, ' ')
  }
  const [literal] = partOf(node, 'expression').map(literalOf)
  return literal ?? '…'
}

/** The text of a node, with `…` for what is known only at run time. */
const textOf = (node: SyntaxNode): string | undefined => {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return partOf(node, 'children').map(contentOf).join('')
  if (node.type !== 'TemplateLiteral') return literalOf(node)
  const quasis = partOf(node, 'quasis').map(({ value }) => value)
  return quasis.map((value) => (value as { cooked: string }).cooked).join('…')
}

/** What an expression can result in: each side of a condition. */
const resultsOf = (node: SyntaxNode): SyntaxNode[] => {
  if (node.type === 'LogicalExpression') return partOf(node, 'right').flatMap(resultsOf)
  if (node.type !== 'ConditionalExpression') return [node]
  return ['consequent', 'alternate'].flatMap((property) => partOf(node, property)).flatMap(resultsOf)
}

/** The texts in a node in the order of the source. In an attribute or a sentence, a lowercase word is a text as well. */
const textsIn = (node: SyntaxNode, isRead = false): string[] => {
  if (isSkipped(node)) return []
  if (node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') {
    return resultsOf(node).flatMap((result) => textsIn(result, isRead))
  }
  if (node.type === 'JSXAttribute' || node.type === 'Property') {
    const [key] = partOf(node, node.type === 'Property' ? 'key' : 'name')
    const [value] = partOf(node, 'value')
    if (value === undefined || forPrograms.test(nameOf(key))) return []
    // The names of `<Properties>` are the keys of a record.
    const isLabel = node.type === 'Property' && isText(nameOf(key)) && !value.type.includes('Function')
    return [...(isLabel ? [nameOf(key)] : []), ...textsIn(value, forPeople.test(nameOf(key)))]
  }
  const text = tidy(textOf(node) ?? '')
  const isElement = node.type.startsWith('JSX')
  const own = isText(text) || ((isRead || isElement) && /\p{L}/u.test(text)) ? [text] : []
  const isSentence = node.type === 'TemplateLiteral' ? own.length > 0 : node.type === 'JSXExpressionContainer' && isRead
  return [...own, ...partsOf(node).flatMap((part) => textsIn(part, isSentence))]
}

/** The texts of a source that people read, each once. */
export const stringsOf = (path: string): string[] => {
  const source: unknown = parseAst(readFileSync(path, 'utf8'), { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
  return isNode(source) ? [...new Set(textsIn(source))] : []
}
