/** The text within a number of characters. */
export const cut = (text: string, length: number): string => {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** The same, with the beginning and the end of the text. */
const cutMiddle = (text: string, length: number): string => {
  const characters = [...text]
  const end = Math.floor((length - 1) / 3)
  return characters.length <= length
    ? text
    : `${characters.slice(0, length - 1 - end).join('')}…${characters.slice(-end).join('')}`
}

interface Shrinking {
  /** In characters. */
  least: number
  cut(text: string, length: number): string
}

/** The columns that a narrow terminal makes shorter. IDs, addresses, and words to type stay whole. */
const shrinking: Readonly<Record<string, Shrinking>> = {
  NAME: { least: 12, cut },
  // "--account" takes what is shown here.
  ACCOUNT: { least: 24, cut: cutMiddle },
}

const lengthOf = (text: string) => [...text].length

const gap = '  '

/** The text in lines of a number of characters, divided between words. */
const wrap = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && lengthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The most of the last column that must have room beside the others; with less, it is written beneath them. */
const leastLast = 40

/** The lines of a table, the titles first. They fit the width of the terminal; without one it is infinite. */
export const tableLines = (titles: readonly string[], rows: readonly (readonly string[])[], terminal: number) => {
  const last = titles.length - 1
  const natural = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => lengthOf(row[at] ?? ''))))
  const widthWith = (widths: readonly number[]) =>
    widths.slice(0, last).reduce((sum, each) => sum + each + gap.length, 0)
  const widthsIn = (room: number): number[] => {
    let excess = widthWith(natural) - room
    return natural.map((width, at) => {
      const { least } = shrinking[titles[at] ?? ''] ?? { least: width }
      if (at === last || excess <= 0 || width <= least) return width
      const narrower = Math.max(least, width - excess)
      excess -= width - narrower
      return narrower
    })
  }
  const beside = Math.min(natural[last] ?? 0, leastLast)
  const isBeneath = widthWith(widthsIn(terminal - beside)) > terminal - beside
  const widths = widthsIn(isBeneath ? terminal : terminal - beside)
  const indent = isBeneath ? gap.length : widthWith(widths)
  const shown = (at: number): string[] => {
    const texts = rows.map((row) => row[at] ?? '')
    const short = texts.map((text) => shrinking[titles[at] ?? '']?.cut(text, widths[at] ?? 0) ?? text)
    // Two names that would look the same stay whole.
    return new Set(short).size === new Set(texts).size ? short : texts
  }
  const columns = titles.slice(0, last).map((_, at) => shown(at))
  const linesOf = (texts: readonly string[], end: string): string[] => {
    const start = texts.map(
      (text, at) => text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(text)) + gap.length),
    )
    // The beginning of a post's text is enough to recognize it.
    const ends = titles[last] === 'TEXT' ? [cut(end, terminal - indent)] : wrap(end, terminal - indent)
    const under = ends.map((each) => ' '.repeat(indent) + each)
    const lines = isBeneath ? [start.join(''), ...under] : [start.join('') + ends[0], ...under.slice(1)]
    return lines.map((line) => line.trimEnd()).filter((line, at) => at === 0 || line !== '')
  }
  const heads = linesOf(titles.slice(0, last), titles[last] ?? '')
  return [
    heads.join('\n'),
    ...rows.flatMap((row, n) =>
      linesOf(
        columns.map((texts) => texts[n] ?? ''),
        row[last] ?? '',
      ),
    ),
  ]
}
