import { type Line, prices, sumOf, usdOf } from './prices.ts'

const usd = (value: number) => value.toFixed(2)

const countOf = (units: number) =>
  units >= 100 ? Math.round(units).toLocaleString('en-US') : String(Number(units.toFixed(2)))

/** Lines as a Markdown table, the most expensive service first, with the sum of all. */
export const tableOf = (lines: readonly Line[]): string => {
  const groups = [...Map.groupBy(lines, ({ service }) => service)].sort(([, a], [, b]) => sumOf(b) - sumOf(a))
  const sorted = groups.flatMap(([, own]) => own.toSorted((a, b) => usdOf(b) - usdOf(a)))
  const rows = sorted.map((line) => {
    const { usd: price, per, unit } = prices[line.price]
    const each = per === 1 ? `${price}` : `${price} / ${per.toLocaleString('en-US')}`
    return `| ${line.service} | ${line.what} | ${countOf(line.units)} | ${each} per ${unit} | ${usd(usdOf(line))} |`
  })
  return [
    '| Service | What | Units | Price in USD | USD |',
    '| --- | --- | ---: | --- | ---: |',
    ...rows,
    `| **Sum** | | | | **${usd(sumOf(lines))}** |`,
  ].join('\n')
}
