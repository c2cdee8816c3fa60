import { topLevelEnd } from './top-level.ts'

/** What a label of a host name may be. */
export interface LabelKind {
  /** Allowed in a host name. */
  isLabel: boolean
  /** May stand right before a top-level domain. */
  isName: boolean
}

/** A part of a host name with its dot behind it, in UTF-16 units of the text. */
export interface Label extends LabelKind {
  start: number
  /** Where its dot is. */
  dot: number
  /** The end of the last top-level domain that follows a later label of the chain; -1 where there is none. */
  later: number
  /** The end of the top-level domain right behind the label's own dot; -1 where there is none, or a later one. */
  own: number
}

/**
 * The labels of a run of label characters and dots that begins at a place of a text; what follows its last dot is none.
 * Each knows how far a host name that begins in it reaches: to the LAST top-level domain of its chain, as a greedy
 * expression finds it. That takes one pass from the right, so hosts of many labels cost no more than others.
 */
export const labelsOf = (text: string, run: string, at: number, kindOf: (label: string) => LabelKind): Label[] => {
  const labels: Label[] = []
  let start = at
  for (const part of run.split('.')) {
    labels.push({ start, dot: start + part.length, later: -1, own: -1, ...kindOf(part) })
    start += part.length + 1
  }
  labels.pop()
  let next: Label | undefined
  for (let n = labels.length - 1; n >= 0; n -= 1) {
    const label = labels[n]
    if (label === undefined) break
    if (next?.isLabel) label.later = next.later === -1 && next.isName ? next.own : next.later
    if (label.later === -1) label.own = topLevelEnd(text, label.dot + 1)
    next = label
  }
  return labels
}
